/**
 * `node run-lines.ts` reads lines of `filemgr` as JSON from standard input, runs them one after the other in this process, and
 * prints their results as JSON. For many lines of another account or without the powers of root, for which a process each would
 * take minutes.
 */
import { json } from 'node:stream/consumers'
import { runHere } from './run-here.ts'

const lines = (await json(process.stdin)) as string[][]
const results: unknown[] = []
for (const line of lines) results.push(await runHere(line))
process.stdout.write(JSON.stringify(results))
