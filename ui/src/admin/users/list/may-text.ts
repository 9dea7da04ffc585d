import type { Permissions } from '../../../../../src/domain/permissions.ts'
import type { MessageId, Translate } from '../../../i18n/use-text.tsx'
import { PLAIN_PERMISSIONS, type PlainPermission } from '../../permissions/permission-change.ts'

const SHORT: Readonly<Record<PlainPermission, MessageId>> = {
  create: 'permissions.shortCreate',
  rename: 'permissions.shortRename',
  modify: 'permissions.shortModify',
  delete: 'permissions.shortDelete',
  download: 'permissions.shortDownload',
  share: 'permissions.shortShare',
  execute: 'permissions.shortExecute',
}

/** What somebody may do, in a few words: "Everything", "Create, edit". */
export function createMayText(t: Translate, locale: string, withCommands: boolean): (perm: Permissions) => string {
  const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
  const known = PLAIN_PERMISSIONS.filter((name) => withCommands || name !== 'execute')
  return (perm) => {
    const given = known.filter((name) => perm[name])
    if (given.length === 0) return t('permissions.lookOnly')
    if (given.length === known.length) return t('permissions.everything')
    const text = list.format(given.map((name) => t(SHORT[name])))
    return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1)
  }
}
