import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail } from '../../domain/errors.ts'
import type { VideoContainer } from '../../domain/media/video-container.ts'
import { findProgram } from '../find-program.ts'
import { programEnvironment } from '../process-environment.ts'
import { type ProcessResult, runProcess } from '../process-runner.ts'
import { frameWords } from './frame-words.ts'
/** What programs of others can show: a frame of a video, or a picture of a telephone. */
export type ForeignKind = VideoContainer | 'heif'

export interface ForeignPicture {
  readonly kind: ForeignKind
  /** Of the open file. It is inherited: a name would be looked up again, behind a link that somebody has put there meanwhile. */
  readonly descriptor: number
  readonly signal?: AbortSignal | undefined
}

export interface ForeignOptions {
  /** Folders of programs, separated by colons. */
  readonly path?: string
  /** Milliseconds for one picture. */
  readonly time?: number
}

const MEBIBYTE = 1024 * 1024
const OUTPUT_LIMIT = 64 * MEBIBYTE
const VIDEO_PROGRAMS = ['ffmpeg']
const HEIF_PROGRAMS = ['heif-dec', 'heif-convert']
/** What a shell says when there is no such program, or it may not be run. */
const NOT_RUN: readonly (number | null)[] = [126, 127]

/** Has pictures decoded by programs that happen to be installed. They are looked for once, and get nothing but one open file. */
export class ForeignDecoders {
  readonly #options: ForeignOptions
  readonly #programs = new Map<string, Promise<string | undefined>>()

  constructor(options: ForeignOptions = {}) {
    this.#options = options
  }

  /** Whether there is a program here for it. */
  async shows(kind: ForeignKind): Promise<boolean> {
    return (await this.#programFor(kind)) !== undefined
  }

  /**
   * An upright JPEG, of whoever made the program: to be decoded with the same care as any other.
   *
   * @throws UNSUPPORTED for what the program does not take, within its time and memory; CANCELLED, NOT_IMPLEMENTED without a program
   */
  async decode(picture: ForeignPicture): Promise<Uint8Array> {
    const program = await this.#programFor(picture.kind)
    if (program === undefined) fail('NOT_IMPLEMENTED', 'there is no program here that shows this')
    return picture.kind === 'heif'
      ? await this.#convert(program, picture)
      : await this.#run([program, ...frameWords(picture.kind)], picture, 0)
  }

  /** It writes to a file only, which it must be able to call by name. */
  async #convert(program: string, picture: ForeignPicture): Promise<Uint8Array> {
    const folder = await mkdtemp(join(tmpdir(), 'filemgr-heif-'))
    try {
      await this.#run([program, '-q', '92', '/proc/self/fd/0', join(folder, 'out.jpg')], picture, OUTPUT_LIMIT)
      // Several pictures of one file get numbers behind their names.
      const [name] = (await readdir(folder)).toSorted()
      if (name === undefined) fail('UNSUPPORTED', 'the picture cannot be decoded')
      return await readFile(join(folder, name))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** @param files bytes that it may write to files */
  async #run(argv: readonly string[], { descriptor, signal }: ForeignPicture, files: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    const result = await runProcess({
      argv: ['/bin/sh', '-c', limitsFor(files), ...argv],
      // Nothing of ours, not even the home folder with its presets.
      env: { PATH: programEnvironment()['PATH'] ?? '', MALLOC_ARENA_MAX: '2' },
      cwd: '/',
      stdin: { descriptor },
      timeout: this.#options.time ?? 10_000,
      outputLimit: OUTPUT_LIMIT,
      signal,
      onOutput: (part, source) => {
        if (source === 'stdout') parts.push(part)
      },
    })
    requireSuccess(result)
    return Buffer.concat(parts)
  }

  async #programFor(kind: ForeignKind): Promise<string | undefined> {
    const names = kind === 'heif' ? HEIF_PROGRAMS : VIDEO_PROGRAMS
    const [key = ''] = names
    const known = this.#programs.get(key) ?? firstOf(names, this.#options.path)
    this.#programs.set(key, known)
    return await known
  }
}

async function firstOf(names: readonly string[], path: string | undefined): Promise<string | undefined> {
  for (const name of names) {
    const found = await findProgram(name, path)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * 512 MiB that it may fill, 20 s of the processor, no core dumps, few files, behind everything else that runs. Only numbers of
 * our own become part of the line.
 */
function limitsFor(files: number): string {
  // In units of 512 bytes; some shells take 1024.
  return `ulimit -d 524288; ulimit -t 20; ulimit -c 0; ulimit -n 64; ulimit -f ${files / 512}; exec nice -n 10 "$0" "$@"`
}

function requireSuccess({ exitCode, interrupted }: ProcessResult): void {
  if (interrupted === 'abort') fail('CANCELLED', 'this was cancelled')
  if (interrupted === 'timeout') fail('UNSUPPORTED', 'it takes too long to decode')
  if (NOT_RUN.includes(exitCode)) fail('NOT_IMPLEMENTED', 'the program that shows this cannot be started')
  if (interrupted !== undefined || exitCode !== 0) fail('UNSUPPORTED', 'it cannot be decoded')
}
