import type { PathPermission } from '../../../../src/domain/access/rule.ts'
import type { PlaceView } from '../../../../src/domain/accounts/place.ts'
import { type MessageId, useLocale, useText } from '../../i18n/use-text.tsx'

const WORDS: readonly (readonly [PathPermission, MessageId])[] = [
  ['download', 'permissions.shortDownload'],
  ['create', 'permissions.shortCreate'],
  ['modify', 'permissions.shortModify'],
  ['rename', 'permissions.shortRename'],
  ['delete', 'permissions.shortDelete'],
  ['share', 'permissions.shortShare'],
]

/** What the user may do in a place, such as "View, download, create". */
export function usePermissionWords(): (place: Pick<PlaceView, 'permissions'>) => string {
  const t = useText()
  const locale = useLocale()
  const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
  return ({ permissions }) => {
    const words = WORDS.flatMap(([permission, id]) => (permissions[permission] ? [t(id)] : []))
    if (words.length === WORDS.length) return t('places.everything')
    const text = list.format([t('places.view'), ...words])
    return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1)
  }
}
