/** Like File Browser, accepts any case and even names without a dot. */
const SUBTITLE = /(?:vtt|srt|ass|ssa)$/i
const SUBTITLE_FOLDER = /^(?:subs|subtitles)$/i

export function isSubtitle(name: string): boolean {
  return SUBTITLE.test(name)
}

/** A folder beside videos that contains their subtitles. */
export function isSubtitleFolder(name: string): boolean {
  return SUBTITLE_FOLDER.test(name)
}
