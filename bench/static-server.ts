/** The other baseline: the same files from Fastify with @fastify/static, with its validators. */
import path from "node:path";
import fastifyStatic from "@fastify/static";
import Fastify from "fastify";

const app = Fastify({ keepAliveTimeout: 30_000 });
await app.register(fastifyStatic, { root: path.resolve(process.argv[2] ?? "dist"), wildcard: false });
process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
