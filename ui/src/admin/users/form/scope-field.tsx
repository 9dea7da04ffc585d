import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { getResource } from '../../../../../src/api/files.ts'
import { childOf, cleanVirtualPath, parentOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useClient } from '../../../api/client-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { FolderButton } from '../../forms/folder-button.tsx'
import { useSettled } from '../../../lib/use-settled.ts'
import { problemOfField } from './problem-of-field.ts'
import type { UserForm } from './use-user-form.ts'

const PAUSE = 250

/** The folder that the user sees as his own. Folders are offered while one types, where the own files are all there is. */
export function ScopeField({ form }: { readonly form: UserForm }) {
  const t = useText()
  const listId = useId()
  const { draft, set, ownScope } = form
  const folders = useFolders(draft.scope, ownScope === '/')
  return (
    <>
      <TextField
        label={t('users.scope')}
        hint={t(draft.createUserDir ? 'users.homeHint' : 'users.scopeHint')}
        value={draft.scope}
        disabled={draft.createUserDir}
        dir="ltr"
        list={listId}
        maxLength={4096}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={problemOfField(t, form, 'scope')}
        end={<FolderButton value={draft.scope} disabled={draft.createUserDir} onChange={(scope) => set({ scope })} />}
        onChange={(event) => set({ scope: event.currentTarget.value })}
      />
      <datalist id={listId}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </>
  )
}

/** Folders beneath what is typed so far. */
function useFolders(typed: string, enabled: boolean): readonly VirtualPath[] {
  const client = useClient()
  const path = cleanVirtualPath(useSettled(typed, PAUSE))
  const folder = typed.endsWith('/') ? path : parentOf(path)
  const { data } = useQuery({
    queryKey: ['folders', folder],
    queryFn: async ({ signal }) => {
      const found = await client.call(getResource, { params: { '*': folder }, signal })
      return 'items' in found ? found.items.filter(({ isDir }) => isDir).map(({ name }) => childOf(folder, name)) : []
    },
    enabled: enabled && typed.startsWith('/'),
    throwOnError: false,
    retry: false,
    staleTime: 30_000,
  })
  return data ?? []
}
