import { closeSync, openSync, readlinkSync } from 'node:fs'
import { getPriority } from 'node:os'
import { FilemgrError } from '../../../../src/domain/errors.ts'
import { serveJobs, type Lend } from '../../../../src/platform/workers/worker-host.ts'

/** Marks memory that an earlier part used. */
const USED = 77

/** Counts the parts that it makes, in memory that it shares with the test. */
function* count(input: { readonly parts: number; readonly made: SharedArrayBuffer }) {
  const made = new Int32Array(input.made)
  try {
    for (let part = 0; part < input.parts; part += 1) {
      Atomics.add(made, 0, 1)
      yield new Uint8Array([part])
    }
    return 'counted'
  } finally {
    Atomics.store(made, 1, 1)
  }
}

/** Parts in lent memory: the first byte is the number of the part, the second says whether an earlier part used it. */
function* lent(parts: number, lend: Lend) {
  for (let part = 1; part <= parts; part += 1) {
    const memory = lend(1024)
    memory[1] = memory[2] === USED ? 1 : 0
    memory[0] = part
    memory[2] = USED
    yield memory
  }
}

function* spin(milliseconds: number) {
  const end = performance.now() + milliseconds
  while (performance.now() < end) yield
  return 'spun'
}

function* answer(text: string) {
  yield text
}

/** A pipe that nobody writes to holds its reader in a system call, as a dead disk does. */
function* openPipe(path: string) {
  closeSync(openSync(path, 'r'))
  yield 'opened'
}

function* breakOff(kind: 'ours' | 'system' | 'memory') {
  yield 'before'
  if (kind === 'ours') throw new FilemgrError('NO_SPACE', 'no space', { retryAfter: 3 })
  if (kind === 'system') throw Object.assign(new Error('no entry'), { code: 'ENOENT' })
  const hoard: number[][] = []
  for (;;) hoard.push(Array.from({ length: 1_000_000 }, (_, i) => i + 0.5))
}

function* priority() {
  yield
  return getPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()))
}

async function loadLate(failing: boolean) {
  await Promise.resolve()
  if (failing) throw new FilemgrError('INVALID_INPUT', 'cannot start')
  return spin(1)
}

/** Sets a flag in memory that it shares with the test, then never returns. */
function* hang(memory: SharedArrayBuffer) {
  yield
  Atomics.store(new Int32Array(memory), 0, 1)
  while (performance.now() > 0) continue
}

serveJobs({ count, lent, spin, openPipe, answer, breakOff, loadLate, hang, priority })
