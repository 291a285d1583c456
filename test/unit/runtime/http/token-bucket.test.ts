/** The token bucket under a clock of the test's own, and who counts as one client. */
import { SocketAddress } from "node:net";
import { describe, expect, it } from "vitest";
import { clientOf, TokenBuckets } from "../../../../runtime/http/token-bucket.ts";
import { numbers } from "../../../support/random.ts";

/** Buckets kept at most: what token-bucket.ts promises. */
const CLIENTS_MAX = 10_000;

/** Takes `count` times at once and gives the answers. */
function take(buckets: TokenBuckets, count: number, now = 0): number[] {
  return Array.from({ length: count }, () => buckets.take("client", now));
}

describe("a token bucket", () => {
  it("O-56: lets a client send its burst at once, and then no more", () => {
    for (const burst of [1, 2, 5, 200]) {
      const answers = take(new TokenBuckets({ perSecond: 1, burst }), burst + 3);
      expect(answers).toEqual([...Array<number>(burst).fill(0), 1, 1, 1]);
    }
  });

  it("O-56: fills steadily up to the burst and never beyond it", () => {
    const buckets = new TokenBuckets({ perSecond: 2, burst: 4 });
    take(buckets, 4);
    expect(take(buckets, 3, 1)).toEqual([0, 0, 1]);
    expect(take(buckets, 5, 2.5)).toEqual([0, 0, 0, 1, 1]);
    expect(take(buckets, 6, 1_000_000)).toEqual([0, 0, 0, 0, 1, 1]);
  });

  it("keeps parts of a token, however small the steps in which it is asked", () => {
    // Steps that a double holds exactly, so that the count is exact too.
    const step = 1 / 64;
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 });
    take(buckets, 1);
    const answers = Array.from({ length: 3 * 64 }, (_, i) => buckets.take("client", (i + 1) * step));
    expect(answers.flatMap((answer, i) => (answer === 0 ? [i + 1] : []))).toEqual([64, 128, 192]);
    expect(new Set(answers)).toEqual(new Set([0, 1]));
  });

  it("takes no token where it refuses: asking again does not make it longer", () => {
    const buckets = new TokenBuckets({ perSecond: 0.25, burst: 1 });
    take(buckets, 1);
    expect(take(buckets, 1000)).toEqual(Array<number>(1000).fill(4));
    expect(take(buckets, 1000, 1)).toEqual(Array<number>(1000).fill(3));
    expect(take(buckets, 2, 4)).toEqual([0, 4]);
  });

  it("grants no more than burst and rate allow, over any stretch of time", () => {
    const random = numbers(1);
    for (const [perSecond, burst] of [
      [1, 1],
      [3, 7],
      [100, 200],
      [0.5, 2],
    ] as const) {
      const buckets = new TokenBuckets({ perSecond, burst });
      const granted: number[] = [];
      let now = 1000;
      for (let i = 0; i < 2000; i++) {
        now += Math.floor(random() ** 4 * 256) / 64 / perSecond;
        if (buckets.take("client", now) === 0) granted.push(now);
      }
      expect(granted.length).toBeGreaterThan(500);
      granted.forEach((since, i) => {
        granted.slice(i).forEach((until, count) => {
          if (count + 1 > burst + (until - since) * perSecond + 1e-6) expect([since, until, count + 1]).toEqual([]);
        });
      });
    }
  });

  it("O-56: names whole seconds that are enough, and no second too many", () => {
    const random = numbers(2);
    for (const perSecond of [0.01, 0.3, 1, 2, 3, 7, 100, 1_000_000]) {
      for (let i = 0; i < 500; i++) {
        const limit = { perSecond, burst: 1 + Math.floor(random() * 5) };
        // A clock in binary fractions, as exact as the seconds that are waited.
        const start = Math.floor(random() * 2 ** 30) / 1024;
        const later = start + Math.floor(random() * 2048) / 1024 / perSecond;
        const refused = (): { buckets: TokenBuckets; seconds: number } => {
          const buckets = new TokenBuckets(limit);
          take(buckets, limit.burst, start);
          // All tokens that have come since, and one that has not.
          return { buckets, seconds: take(buckets, limit.burst + 1, later).at(-1) ?? 0 };
        };
        const { buckets, seconds } = refused();
        expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
        // What a client really waits is a little longer than a fake clock says.
        expect([limit, later, buckets.take("client", later + seconds + 1e-6)]).toEqual([limit, later, 0]);
        if (seconds > 1) expect(refused().buckets.take("client", later + seconds - 1 - 1e-6)).toBeGreaterThan(0);
      }
    }
  });

  it("admits the burst while the clock does not move, and refuses more until it does", () => {
    const buckets = new TokenBuckets({ perSecond: 100, burst: 3 });
    expect(take(buckets, 10, 77)).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1, 1]);
    expect(take(buckets, 2, 77)).toEqual([1, 1]);
    expect(take(buckets, 2, 77.015625)).toEqual([0, 1]);
  });

  it("limits each client for itself", () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 2 });
    const order = ["a", "a", "a", "b", "a", "b", "b", "c", "", "toString", "__proto__"];
    expect(order.map((client) => buckets.take(client, 0))).toEqual([0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0]);
    expect([buckets.take("__proto__", 0), buckets.take("__proto__", 0)]).toEqual([0, 1]);
    const other = new TokenBuckets({ perSecond: 1, burst: 2 });
    expect(other.take("a", 0)).toBe(0);
  });
});

describe("many clients", () => {
  function emptied(): TokenBuckets {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 });
    expect([buckets.take("first", 0), buckets.take("first", 0)]).toEqual([0, 1]);
    return buckets;
  }

  /** How many of the clients numbered `from` to `to` find an empty bucket; asked in order. */
  function limited(buckets: TokenBuckets, from: number, to: number): number {
    let count = 0;
    for (let i = from; i < to; i++) if (buckets.take(`client ${i}`, 0) > 0) count++;
    return count;
  }

  it("O-56: are remembered up to a number; beyond it those whose bucket is full again are forgotten", () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 });
    // All but the last thousand have rested for a second.
    expect(limited(buckets, 0, CLIENTS_MAX - 1000)).toBe(0);
    for (let i = CLIENTS_MAX - 1000; i < CLIENTS_MAX; i++) expect(buckets.take(`client ${i}`, 0.5)).toBe(0);
    expect(buckets.take("one more", 1)).toBe(0);
    for (let i = CLIENTS_MAX - 1000; i < CLIENTS_MAX; i++) expect(buckets.take(`client ${i}`, 1)).toBe(1);
    expect(buckets.take("one more", 1)).toBe(1);
    expect(buckets.take("client 0", 1)).toBe(0);
  });

  it("O-56: are all forgiven where too many are in use at once", () => {
    const buckets = emptied();
    expect(limited(buckets, 1, CLIENTS_MAX)).toBe(0);
    expect(buckets.take("first", 0)).toBe(1);
    expect(buckets.take("one more", 0)).toBe(0);
    expect(buckets.take("first", 0)).toBe(0);
  });

  it("O-56: never hold more memory than those, however many come", () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 });
    const count = 3 * CLIENTS_MAX;
    expect(limited(buckets, 0, count)).toBe(0);
    expect(limited(buckets, count - CLIENTS_MAX, count)).toBe(CLIENTS_MAX);
    // Who is asked for and was forgotten takes the place of another one.
    expect(limited(buckets, 0, count - CLIENTS_MAX)).toBe(0);
  });
});

describe("one client", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["0.0.0.0", "0.0.0.0"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:203.0.113.7", "203.0.113.7"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
  ])("O-56: is an IPv4 address, mapped or not: %s", (address, client) => {
    expect(clientOf(address)).toBe(client);
  });

  it("O-56: is not another IPv4 address", () => {
    const addresses = ["203.0.113.7", "203.0.113.8", "::ffff:203.0.113.9", "::ffff:203.0.114.7", "203.0.113.70"];
    expect(new Set(addresses.map(clientOf)).size).toBe(addresses.length);
  });

  it.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::1", "2001:db8:1:2::", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
    ["2001:db8::1", "2001:db8::1:2:3:4", "2001:db8:0:0:1::", "2001:db8:0:0:1:2:3:4", "2001:db8::"],
    ["2001:db8:0:1::5", "2001:db8:0:1:0:0:0:6", "2001:db8:0:1:8000::"],
    ["2001:0:0:1::5", "2001::1:0:0:0:6", "2001:0:0:1:2:3:4:5"],
    ["::1:2:3:4:5", "0:0:0:1:2:3:4:5", "::1:0:0:0:9"],
    ["::1", "::", "::2", "0:0:0:0:0:0:0:1", "::1.2.3.4"],
    ["64:ff9b::203.0.113.7", "64:ff9b::cb00:7107", "64:ff9b::1"],
    [
      "fe80::1",
      "fe80::1%eth0",
      "fe80::2%eth1",
      "fe80::aaaa:bbff:fecc:dd%3",
      "fe80::%enp0s31f6.100",
      "fe80::1:2:3:4%eth0:1",
    ],
  ])("O-56: is the 64 bits of an IPv6 network, however they are spelled: %s", (...addresses) => {
    expect(new Set(addresses.map(clientOf)).size).toBe(1);
  });

  it("O-56: is not another IPv6 network", () => {
    const addresses = [
      "2001:db8:1:2::1",
      "2001:db8:1:3::1",
      "2001:db8::1:2:0:1",
      "2001:db8:1::2",
      "1::",
      "::1",
      "fe80::1",
    ];
    expect(new Set(addresses.map(clientOf)).size).toBe(addresses.length);
  });

  it("O-56: is the same in every form in which Node writes addresses of one network", () => {
    const random = numbers(3);
    // Many zeros, so that the longest run of them, which is what gets shortened, lies everywhere.
    const group = (): string => (random() < 0.6 ? "0" : Math.floor(random() * 65_536).toString(16));
    const networks = new Set<string>();
    const clients = new Set<string>();
    for (let i = 0; i < 2000; i++) {
      const network = Array.from({ length: 4 }, group);
      // Mapped IPv4 addresses are not meant here.
      if (network.join("") === "0000") network[0] = "2001";
      const addresses = Array.from({ length: 5 }, () => {
        const address = [...network, ...Array.from({ length: 4 }, group)].join(":");
        return new SocketAddress({ address, family: "ipv6" }).address;
      });
      const found = new Set(addresses.map(clientOf));
      expect([addresses, found.size]).toEqual([addresses, 1]);
      networks.add(network.join(":"));
      for (const client of found) clients.add(client);
    }
    expect(clients.size).toBe(networks.size);
  });

  it("is one and the same where there is no address any more", () => {
    expect(clientOf(undefined)).toBe(clientOf(""));
    expect(clientOf(undefined)).not.toBe(clientOf("127.0.0.1"));
    expect(clientOf(undefined)).not.toBe(clientOf("::1"));
  });
});
