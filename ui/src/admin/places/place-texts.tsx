import { useMemo } from 'react'
import { PATH_PERMISSIONS, type PathPermission } from '../../../../src/domain/access/rule.ts'
import { RichText, useLocale, useText } from '../../i18n/use-text.tsx'
import { createMayText } from '../users/list/use-user-columns.tsx'
import type { GivenPermissions } from './place-model.ts'

/** Which folder of its root it is. */
export function FolderText({ scope }: { readonly scope: string }) {
  const t = useText()
  if (scope === '/') return t('roots.allOfIt')
  return (
    <RichText id="roots.folderAt" values={{ path: scope }} elements={[<bdi key="0" dir="ltr" className="mono" />]} />
  )
}

/** What may be done there. */
export function PermissionsText({ given }: { readonly given: GivenPermissions }) {
  const t = useText()
  const locale = useLocale()
  const may = useMemo(() => createMayText(t, locale, false), [locale, t])
  if (given === undefined) return t('roots.asElsewhere')
  const perm = Object.fromEntries(PATH_PERMISSIONS.map((name) => [name, given.includes(name)]))
  return may({ ...(perm as Record<PathPermission, boolean>), execute: false })
}
