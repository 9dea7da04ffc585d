export type FileKind =
  'folder' | 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'code' | 'table' | 'archive' | 'broken' | 'other'

const BY_EXTENSION: Readonly<Partial<Record<FileKind, string>>> = {
  archive: 'zip tar gz tgz bz2 tbz xz txz zst br lz lz4 sz 7z rar jar war iso dmg cab deb rpm apk',
  table: 'csv tsv xls xlsx xlsm ods numbers parquet',
  code:
    'js mjs cjs ts mts cts jsx tsx vue svelte css scss sass less html htm xml json jsonc json5 yaml yml toml ini conf ' +
    'cfg env sh bash zsh fish ps1 bat py rb php pl lua r go rs c h cc cpp hpp cs java kt kts swift m scala clj ex exs erl ' +
    'hs ml sql proto graphql dockerfile makefile cmake gradle diff patch',
  text: 'txt md markdown rst rtf log doc docx odt pages tex epub',
  image: 'svg png jpg jpeg jfif gif webp avif bmp ico tif tiff heic heif jxl jp2 psd ai dng cr2 nef arw raf orf rw2',
  video: 'mp4 m4v mov mkv webm avi mpg mpeg ogv wmv flv 3gp',
  audio: 'mp3 m4a flac wav ogg oga opus aac aif aiff wma mid midi',
  pdf: 'pdf',
}

const KINDS = new Map(
  Object.entries(BY_EXTENSION).flatMap(([kind, list]) =>
    list.split(' ').map((extension) => [extension, kind] as const),
  ),
) as ReadonlyMap<string, FileKind>

/** The kind that a file extension suggests; undefined for unknown ones. */
export function kindOfName(name: string): FileKind | undefined {
  const dot = name.lastIndexOf('.')
  return KINDS.get((dot === -1 ? name : name.slice(dot + 1)).toLowerCase())
}
