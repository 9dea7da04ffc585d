import { useQuery } from '@tanstack/react-query'
import { getUser } from '../../../../src/api/accounts/users.ts'
import { cleanVirtualPath, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'

const ChooseFolder = lazyPrompt(
  async () => (await import('../../files/actions/prompts/folders/folder-prompts.tsx')).ChooseFolderPrompt,
)

interface FolderButtonProps {
  readonly value: string
  readonly onChange: (path: string) => void
  readonly disabled?: boolean | undefined
}

/** A button inside a field for a server folder. Opens a picker of the folders that the user can see. */
export function FolderButton({ value, onChange, disabled }: FolderButtonProps) {
  const t = useText()
  const ask = usePrompt()
  const client = useClient()
  const id = useUser()?.id
  const { data: own } = useQuery({
    queryKey: ['users', id],
    queryFn: ({ signal }) => client.call(getUser, { params: { id: String(id) }, signal }),
    enabled: id !== undefined,
    throwOnError: false,
  })
  const choose = async (): Promise<void> => {
    if (own === undefined) return
    const scope = cleanVirtualPath(own.scope)
    const title = t('users.chooseFolder')
    const start = ownPath(scope, value) ?? ROOT
    const path = await ask(ChooseFolder, { title, start, format: (folder) => serverPath(scope, folder) })
    if (path !== undefined) onChange(serverPath(scope, path))
  }
  return (
    <IconButton
      icon="folder"
      size="small"
      label={t('users.chooseFolder')}
      disabled={disabled === true || own === undefined}
      onClick={() => void choose()}
    />
  )
}

/** The server path of a folder that a user with this scope sees as `path`. */
export function serverPath(ownScope: VirtualPath, path: VirtualPath): VirtualPath {
  return cleanVirtualPath(`${ownScope}/${path}`)
}

/** The path at which a user with this scope sees a folder of the server; undefined outside the scope. */
export function ownPath(ownScope: VirtualPath, text: string): VirtualPath | undefined {
  const path = cleanVirtualPath(text)
  if (path === ownScope) return cleanVirtualPath('/')
  const beneath = ownScope === '/' ? '/' : `${ownScope}/`
  return path.startsWith(beneath) ? cleanVirtualPath(path.slice(beneath.length)) : undefined
}
