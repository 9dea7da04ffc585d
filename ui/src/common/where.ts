import { lastSegment } from '../lib/navigation/app-path.ts'
import { isSharedPath, SHARED_FOLDER } from '../../../src/domain/shares/shared-folder.ts'
import type { Translate } from '../i18n/use-text.tsx'
import { plainName } from '../lib/plain-name.ts'

/** The name of a folder for people. The paths of what others share lead through a folder of ours, whose name nobody knows. */
export function folderName(t: Translate, path: string): string {
  const name = lastSegment(path)
  if (name === '') return t('files.root')
  return `/${name}` === SHARED_FOLDER ? t('shell.sharedWithMe') : plainName(name)
}

/** The way to a folder for people, such as "My files / a / b", or "Shared with me / photos (anna)". */
export function wayTo(t: Translate, path: string): string {
  const names = path.split('/').filter(Boolean)
  const isShared = isSharedPath(path)
  return [folderName(t, isShared ? SHARED_FOLDER : '/'), ...names.slice(isShared ? 1 : 0).map(plainName)].join(' / ')
}
