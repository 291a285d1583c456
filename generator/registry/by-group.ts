/** Things by number, sorted by group and then by number; group g begins at `starts[g]`. */
export interface Grouped {
  readonly numbers: Uint32Array;
  /** One more entry than there are groups: the last is the end. */
  readonly starts: Uint32Array;
}

/** The numbers of the things in a group. */
export function membersOf({ numbers, starts }: Grouped, group: number): Uint32Array {
  return numbers.subarray(starts[group], starts[group + 1]);
}

/** `groups` has the group of each thing. */
export function byGroup(groups: Uint32Array, groupCount: number): Grouped {
  const starts = new Uint32Array(groupCount + 1);
  for (const group of groups) starts[group + 1] = (starts[group + 1] ?? 0) + 1;
  for (let group = 0; group < groupCount; group++) starts[group + 1] = (starts[group + 1] ?? 0) + (starts[group] ?? 0);
  const [next, numbers] = [starts.slice(), new Uint32Array(groups.length)];
  groups.forEach((group, number) => {
    const at = next[group] ?? 0;
    numbers[at] = number;
    next[group] = at + 1;
  });
  return { numbers, starts };
}
