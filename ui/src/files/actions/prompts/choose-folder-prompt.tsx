import { parentOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { problemOf, problemText } from '../problem-text.ts'
import { FolderChooser, useFolderChooser } from './folder-chooser.tsx'
import { pathsTo } from './folder-tree.ts'
import styles from './pick-folder-prompt.module.css'

interface ChooseFolderPromptProps {
  /** Of the dialog and of its main button. */
  readonly title: string
  /** What is chosen at first; it need not be there. */
  readonly start: VirtualPath
  /** How the folder is written where it is put. */
  readonly spell: (path: VirtualPath) => string
}

/** Asks for a folder of one's own. */
export function ChooseFolderPrompt({ title, start, spell, close }: ChooseFolderPromptProps & PromptProps<VirtualPath>) {
  const t = useText()
  const chooser = useFolderChooser({ expanded: new Set(pathsTo(parentOf(start))), focus: start })
  const { focus } = chooser.tree
  const problem = chooser.failed.get(focus)
  // What the filter hides, and what is not there, is not meant.
  const isThere = chooser.rows.some(({ path }) => path === focus)
  const submit = (): void => {
    if (isThere) close(focus)
  }
  return (
    <Dialog
      title={title}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={!isThere}>
            {title}
          </Button>
        </>
      }
    >
      <FolderChooser chooser={chooser} onSubmit={submit} />
      <p className={styles['target']}>{isThere && <bdi dir="ltr">{spell(focus)}</bdi>}</p>
      {problem && (
        <Note icon="error" tone="danger" role="alert">
          {problemText(t, problemOf(problem))}
        </Note>
      )}
    </Dialog>
  )
}
