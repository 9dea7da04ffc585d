import type { VideoContainer } from '../../domain/media/video-container.ts'
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
export function frameWords(container: VideoContainer): string[] {
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
