import { execFile } from 'node:child_process'
import { closeSync, constants, open } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { fail } from '../../domain/errors.ts'
import { programEnvironment } from './processes.ts'

/** A pipe whose one end may become several descriptors of a program: what is written to them keeps its order. */
export interface SharedPipe extends Disposable {
  /** Ends when the last writer has closed. Belongs to the caller, and so does its descriptor. */
  readonly reader: Readable
  /** Descriptor of the other end; open until this is disposed of. */
  readonly writer: number
}

/**
 * Node makes a separate pipe for each output of a program, which loses the order between them. Here a named pipe is made,
 * opened at both ends, and its name removed at once; only this account can enter its folder.
 *
 * @throws INTERNAL when the system has no `mkfifo`, or the folder for temporary files takes nothing
 */
export async function openSharedPipe(): Promise<SharedPipe> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'filemgr-pipe-'))
    try {
      return await openBoth(join(folder, 'pipe'))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } catch (cause) {
    return fail('INTERNAL', 'no pipe can be made for the output of a program', {}, { cause })
  }
}

async function openBoth(path: string): Promise<SharedPipe> {
  await promisify(execFile)('mkfifo', ['-m', '600', path], { env: programEnvironment(), timeout: 10_000 })
  // Without this flag to open the one end is to wait for the other, and to read from it would hold a thread. Plain
  // descriptors, because the objects of Node around them would close them a second time.
  const reading = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const writer = await promisify(open)(path, constants.O_WRONLY)
    const reader = new Socket({ fd: reading, readable: true, writable: false })
    return { reader, writer, [Symbol.dispose]: () => closeSync(writer) }
  } catch (error) {
    closeSync(reading)
    throw error
  }
}
