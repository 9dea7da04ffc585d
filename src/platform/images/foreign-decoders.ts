import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, cancelled } from '../../domain/errors.ts'
import type { VideoContainer } from '../../domain/files/media/video-container.ts'
import { findProgram, programEnvironment } from '../processes/processes.ts'
import { type ProcessResult, runProcess } from '../processes/process-runner.ts'

/** What programs of others can show: a frame of a video, or a picture of a telephone. */
export type ForeignKind = VideoContainer | 'heif'

export interface ForeignPicture {
  readonly kind: ForeignKind
  /** Descriptor of the open file, inherited. A path would be resolved again and could meanwhile be a planted link. */
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
   * An upright JPEG from a third-party program: decoded with the same care as any other.
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
  if (interrupted === 'abort') throw cancelled()
  if (interrupted === 'timeout') fail('UNSUPPORTED', 'it takes too long to decode')
  if (NOT_RUN.includes(exitCode)) fail('NOT_IMPLEMENTED', 'the program that shows this cannot be started')
  if (interrupted !== undefined || exitCode !== 0) fail('UNSUPPORTED', 'it cannot be decoded')
}

/** What videos of the last decades are made with. All other decoders, hundreds of rarely used ones, stay shut. */
const CODECS =
  'h264,hevc,vp8,vp9,av1,libdav1d,libaom-av1,libvpx,libvpx-vp9,mpeg1video,mpeg2video,mpeg4,h263,msmpeg4v1,msmpeg4v2,' +
  'msmpeg4,wmv1,wmv2,wmv3,vc1,flv,vp6,vp6f,theora,mjpeg,prores,dnxhd,dvvideo'

/** Frames to choose from: the first is often black. */
const CANDIDATES = 4
/** Seconds from the start in which they are looked for. */
const SEARCHED = 10
/** In pixels; what is made of it is smaller. */
const LONGEST_SIDE = 1920
const MOST_PIXELS = 40_000_000

/** Pixels that are not square are made so. Everything is even, as the colours lie. */
const RATIO = `min(1,${LONGEST_SIDE}/max(iw*sar,ih))`
const SCALE = `scale=w='max(2,trunc(iw*sar*${RATIO}/2)*2)':h='max(2,trunc(ih*${RATIO}/2)*2)':out_range=full`

/**
 * The words for ffmpeg to write one frame of its standard input as a JPEG to its standard output.
 *
 * The container is told and not guessed, so that a playlist under the name of a video is never read as one; nothing but this
 * container may be opened, and nothing but files: attacks are playlists, "concat" and references that name /etc/passwd or an
 * address of the network.
 */
function frameWords(container: VideoContainer): string[] {
  return [
    ...['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-filter_threads', '1'],
    ...['-protocol_whitelist', 'file', '-format_whitelist', container, '-codec_whitelist', CODECS],
    ...['-max_pixels', `${MOST_PIXELS}`, '-skip_frame', 'nokey', '-t', `${SEARCHED}`, '-f', container],
    // Its references to other files are not followed unless told; told here, against another default.
    ...(container === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
    ...['-i', 'file:/proc/self/fd/0', '-map', '0:V:0', '-frames:v', '1'],
    ...['-vf', `thumbnail=${CANDIDATES},${SCALE},setsar=1,format=yuvj420p`, '-c:v', 'mjpeg', '-q:v', '3'],
    ...['-f', 'mjpeg', 'pipe:1'],
  ]
}
