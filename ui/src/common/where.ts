import { lastSegment } from '../lib/navigation/app-path.ts'
import { isSharedPath, SHARED_FOLDER } from '../../../src/domain/shares/shared-folder.ts'
import { hasPlaces, placePathOf } from '../api/places.ts'
import type { Translate } from '../i18n/use-text.tsx'
import { plainName } from '../lib/plain-name.ts'

/** The name of "/" for people, and its icon. */
export function rootName(t: Translate): string {
  return t(hasPlaces() ? 'shell.allPlaces' : 'files.root')
}

export function rootIcon(): 'home' | 'drive' {
  return hasPlaces() ? 'drive' : 'home'
}

/** The name of a folder for people. The paths of what others share lead through a folder of ours, whose name nobody knows. */
export function folderName(t: Translate, path: string): string {
  const name = lastSegment(path)
  if (name === '') return rootName(t)
  return `/${name}` === SHARED_FOLDER ? t('shell.sharedWithMe') : plainName(name)
}

/** The way to a folder for people, such as "My files / a / b", "Photos / a" in a place, or "Shared with me / photos (anna)". */
export function wayTo(t: Translate, path: string): string {
  const names = path.split('/').filter(Boolean)
  const isShared = isSharedPath(path)
  if (placePathOf(path) !== undefined && !isShared) return names.map(plainName).join(' / ')
  return [folderName(t, isShared ? SHARED_FOLDER : '/'), ...names.slice(isShared ? 1 : 0).map(plainName)].join(' / ')
}
