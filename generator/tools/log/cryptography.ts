/**
 * The primitives of Node for the verifier, synchronous and without a warning that WebCrypto's
 * Ed25519 is experimental in Node 20.
 */
import { createPublicKey, hash, verify } from "node:crypto";
import type { Cryptography } from "./c2sp.ts";

export const nodeCryptography: Cryptography = {
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  verifyEd25519({ publicKey, message, signature }) {
    const x = Buffer.from(publicKey).toString("base64url");
    const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
    return verify(null, message, key, signature);
  },
};
