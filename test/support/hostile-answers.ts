/**
 * Answers that a client must not believe, and odd ones that it must: each with the published rule
 * that decides it, from which its outcome follows. What is JSON or not is as bytes, so that every
 * program can judge it; broken HTTP only goes over a socket.
 */
import type { HostileAnswer } from "./hostile-answers/answer.ts";
import { numbers, dimensions, words, strings, encodings, structure, duplicates } from "./hostile-answers/json.ts";
import { members, extras } from "./hostile-answers/members.ts";
import { judged } from "./hostile-answers/meaning.ts";
import { types, statuses, goodHttp } from "./hostile-answers/fields.ts";
import { sizes, cutShort, slow } from "./hostile-answers/delivery.ts";

export const hostileAnswers: readonly HostileAnswer[] = [
  ...numbers,
  ...dimensions,
  ...words,
  ...strings,
  ...encodings,
  ...structure,
  ...duplicates,
  ...members,
  ...extras,
  ...judged,
  ...types,
  ...statuses,
  ...goodHttp,
  ...sizes,
  ...cutShort,
  ...slow,
];
