import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, cancelled } from '../../domain/errors.ts'
import type { VideoContainer } from '../../domain/files/media/video-container.ts'
import { HeavyMemory } from '../limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../limits/memory-plan.ts'
import { findProgram, programEnvironment } from '../processes/processes.ts'
import { type ProcessResult, runProcess } from '../processes/process-runner.ts'

/** What external programs decode: videos, HEIF pictures such as those of phones, and the first page of a PDF. */
export type ForeignKind = VideoContainer | 'heif' | 'pdf'

export interface ForeignPicture {
  readonly kind: ForeignKind
  /** Descriptor of the open file, inherited by the program. A path could be replaced by a planted link meanwhile. */
  readonly descriptor: number
  readonly signal?: AbortSignal | undefined
}

export interface ForeignOptions {
  /** Search path for the programs; folders separated by colons. */
  readonly path?: string
  /** Milliseconds for one picture. */
  readonly time?: number
  /** Where each program takes its memory. */
  readonly memory?: HeavyMemory
}

const MEBIBYTE = 1024 * 1024
const OUTPUT_LIMIT = 64 * MEBIBYTE
const VIDEO_PROGRAMS = ['ffmpeg']
const PROGRAMS: Readonly<Partial<Record<ForeignKind, readonly string[]>>> = {
  heif: ['heif-dec', 'heif-convert'],
  pdf: ['pdftoppm'],
}
/** Exit codes of a shell for a program that does not exist or may not be run. */
const EXIT_NOT_RUN: readonly (number | null)[] = [126, 127]

/** Decodes pictures with external programs, if they are installed. Each program gets one open file and nothing else. */
export class ForeignDecoders {
  readonly #options: ForeignOptions
  readonly #memory: HeavyMemory
  readonly #programs = new Map<string, Promise<string | undefined>>()

  constructor(options: ForeignOptions = {}) {
    this.#options = options
    this.#memory = options.memory ?? new HeavyMemory()
  }

  /** Whether a program for this kind is installed. */
  async canDecode(kind: ForeignKind): Promise<boolean> {
    return (await this.#programFor(kind)) !== undefined
  }

  /**
   * An upright JPEG from a third-party program, as untrusted as an uploaded one.
   *
   * @throws UNSUPPORTED if the program fails or exceeds its time or memory; NOT_IMPLEMENTED without a program; BUSY, CANCELLED
   */
  async decode(picture: ForeignPicture): Promise<Uint8Array> {
    const program = await this.#programFor(picture.kind)
    if (program === undefined) fail('NOT_IMPLEMENTED', 'no program for this kind of file is installed')
    const { kind } = picture
    if (kind === 'heif') return await this.#convert(program, picture)
    return await this.#run([program, ...(kind === 'pdf' ? PAGE_ARGUMENTS : frameArguments(kind))], picture, 0)
  }

  /** HEIF converters can only write to a named file. */
  async #convert(program: string, picture: ForeignPicture): Promise<Uint8Array> {
    const folder = await mkdtemp(join(tmpdir(), 'filemgr-heif-'))
    try {
      await this.#run([program, '-q', '92', '/proc/self/fd/0', join(folder, 'out.jpg')], picture, OUTPUT_LIMIT)
      // A file with several pictures gives several outputs with numbered names.
      const [name] = (await readdir(folder)).toSorted()
      if (name === undefined) fail('UNSUPPORTED', 'the picture cannot be decoded')
      return await readFile(join(folder, name))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** @param fileSize bytes that the program may write to a file */
  async #run(argv: readonly string[], { descriptor, signal }: ForeignPicture, fileSize: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    using _room = await this.#memory.acquire(MEMORY_PLAN.foreign, signal)
    const result = await runProcess({
      argv: ['/bin/sh', '-c', limitsFor(fileSize), ...argv],
      // Nothing of our environment, not even HOME: it may contain presets for the program.
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
    const names = PROGRAMS[kind] ?? VIDEO_PROGRAMS
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
 * Limits: the memory of the plan, at most 512 MiB, 20 s of CPU time, no core dumps, 64 open files, low priority. Only our own numbers become part of
 * the shell command, so nothing can be injected.
 */
function limitsFor(fileSize: number): string {
  // -f counts blocks of 512 bytes; some shells, of 1024.
  return `ulimit -d ${MEMORY_PLAN.foreign / 1024}; ulimit -t 20; ulimit -c 0; ulimit -n 64; ulimit -f ${fileSize / 512}; exec nice -n 10 "$0" "$@"`
}

function requireSuccess({ exitCode, interrupted }: ProcessResult): void {
  if (interrupted === 'abort') throw cancelled()
  if (interrupted === 'timeout') fail('UNSUPPORTED', 'the file takes too long to decode')
  if (EXIT_NOT_RUN.includes(exitCode)) fail('NOT_IMPLEMENTED', 'the program for this kind of file cannot be started')
  if (interrupted !== undefined || exitCode !== 0) fail('UNSUPPORTED', 'the file cannot be decoded')
}

/** The common video codecs. Hundreds of rarely used decoders stay disabled, because each may have exploitable bugs. */
const CODECS =
  'h264,hevc,vp8,vp9,av1,libdav1d,libaom-av1,libvpx,libvpx-vp9,mpeg1video,mpeg2video,mpeg4,h263,msmpeg4v1,msmpeg4v2,' +
  'msmpeg4,wmv1,wmv2,wmv3,vc1,flv,vp6,vp6f,theora,mjpeg,prores,dnxhd,dvvideo'

/** Frames to choose from: the first is often black. */
const CANDIDATES = 4
/** Seconds from the start in which to look for these frames. */
const SEARCHED = 10
/** In pixels; every preview is smaller. */
const MAX_SIDE = 1920
const MAX_PIXELS = 40_000_000

/** Makes pixels square. Width and height are even, as 4:2:0 chroma subsampling requires. */
const RATIO = `min(1,${MAX_SIDE}/max(iw*sar,ih))`
const SCALE = `scale=w='max(2,trunc(iw*sar*${RATIO}/2)*2)':h='max(2,trunc(ih*${RATIO}/2)*2)':out_range=full`

/** Arguments for pdftoppm to write the first page of its standard input to its standard output, as a JPEG. */
const PAGE_ARGUMENTS = [
  ...['-q', '-f', '1', '-l', '1', '-singlefile', '-cropbox', '-scale-to', '1200'],
  ...['-jpeg', '-jpegopt', 'quality=90', '/proc/self/fd/0'],
]

/**
 * Arguments for ffmpeg to write one frame of its standard input to its standard output, as a JPEG.
 *
 * Sets the container instead of letting ffmpeg guess it, and allows only this container and only files. The attack is a playlist,
 * a "concat" script or a reference, named like a video, that makes ffmpeg read /etc/passwd or a network address.
 */
function frameArguments(container: VideoContainer): string[] {
  return [
    ...['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-filter_threads', '1'],
    ...['-protocol_whitelist', 'file', '-format_whitelist', container, '-codec_whitelist', CODECS],
    ...['-max_pixels', `${MAX_PIXELS}`, '-skip_frame', 'nokey', '-t', `${SEARCHED}`, '-f', container],
    // Do not follow references to other files. Explicit, in case the default changes.
    ...(container === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
    ...['-i', 'file:/proc/self/fd/0', '-map', '0:V:0', '-frames:v', '1'],
    ...['-vf', `thumbnail=${CANDIDATES},${SCALE},setsar=1,format=yuvj420p`, '-c:v', 'mjpeg', '-q:v', '3'],
    ...['-f', 'mjpeg', 'pipe:1'],
  ]
}
