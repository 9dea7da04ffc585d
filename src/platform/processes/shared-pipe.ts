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

/** A pipe whose writing end serves as several descriptors of a program, so that their output keeps its order. */
export interface SharedPipe extends Disposable {
  /** Ends when the last writer closes. The caller must destroy it. */
  readonly reader: Readable
  /** Descriptor of the writing end; open until this is disposed of. */
  readonly writer: number
}

/**
 * Node gives each output of a program its own pipe, which loses the order between them. This creates a named pipe in a folder
 * of mode 0700, opens both ends, and removes its name.
 *
 * @throws INTERNAL without `mkfifo` or a writable folder for temporary files
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
    return fail('INTERNAL', 'no pipe can be created for the output of a program', {}, { cause })
  }
}

async function openBoth(path: string): Promise<SharedPipe> {
  await promisify(execFile)('mkfifo', ['-m', '600', path], { env: programEnvironment(), timeout: 10_000 })
  // Without O_NONBLOCK, opening one end waits for the other, and each read blocks a thread. Plain descriptors rather than
  // FileHandles, which would close them a second time.
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
