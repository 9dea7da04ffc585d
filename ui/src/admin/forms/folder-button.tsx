import { cleanVirtualPath, ROOT } from '../../../../src/domain/files/virtual-path.ts'
import type { RootId } from '../../../../src/domain/ids.ts'
import { FILES_ROOT } from '../../../../src/domain/server/root.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useSeenFolders } from './use-seen-folders.ts'

const ChooseFolder = lazyPrompt(
  async () => (await import('../../files/actions/prompts/folders/folder-prompts.tsx')).ChooseFolderPrompt,
)

interface FolderButtonProps {
  /** The root of the folder; the served folder by default. */
  readonly root?: RootId | undefined
  readonly value: string
  readonly onChange: (path: string) => void
  readonly disabled?: boolean | undefined
}

/** A button inside a field for a server folder. Opens a picker of the folders that the user can see; nothing if there are none. */
export function FolderButton({ root = FILES_ROOT, value, onChange, disabled }: FolderButtonProps) {
  const t = useText()
  const ask = usePrompt()
  const seen = useSeenFolders()
  const choose = async (): Promise<void> => {
    if (seen === undefined) return
    const path = await ask(ChooseFolder, {
      title: t('users.chooseFolder'),
      start: seen.pathOf(root, value) ?? ROOT,
      format: (folder) => seen.scopeOf(root, folder) ?? '',
      mayChoose: (folder) => seen.scopeOf(root, folder) !== undefined,
    })
    if (path !== undefined) onChange(seen.scopeOf(root, path) ?? cleanVirtualPath(value))
  }
  if (seen?.sees(root) === false) return null
  return (
    <IconButton
      icon="folder"
      size="small"
      label={t('users.chooseFolder')}
      disabled={disabled === true || seen === undefined}
      onClick={() => void choose()}
    />
  )
}
