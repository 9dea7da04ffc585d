/** Where a folder of the machine is, so that it is recognized by whatever path it is named. */
export interface FolderPlace {
  /** Without links. */
  readonly path: string
  /** The innermost one around it; "/" if the disk of the system contains it. */
  readonly mountPoint: string
  /** The same for all bind mounts of one folder. */
  readonly onDevice?: { readonly device: string; readonly path: string } | undefined
  /** Of the folder and each folder around it, from the inside out: the same for "A" and "a" on a disk that ignores case. */
  readonly identities: readonly (string | undefined)[]
}

/** Whether a folder is another one, or around it. */
export function isAround(around: FolderPlace, inside: FolderPlace): boolean {
  if (isPathIn(around.path, inside.path)) return true
  const [own] = around.identities
  if (own !== undefined && inside.identities.includes(own)) return true
  const [one, other] = [around.onDevice, inside.onDevice]
  return one !== undefined && one.device === other?.device && isPathIn(one.path, other.path)
}

function isPathIn(folder: string, path: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}
