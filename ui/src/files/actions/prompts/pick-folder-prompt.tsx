import { useMutation } from '@tanstack/react-query'
import { nameOf, parentOf, segmentsOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useUser } from '../../../api/session-context.tsx'
import { RichText, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog, DialogLead } from '../../../kit/dialog/dialog.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { transferable } from '../plan-transfers.ts'
import { problemOf, problemText } from '../problem-text.ts'
import type { FileItem, TransferKind } from '../file-actions.ts'
import { FolderChooser, useFolderChooser } from './folder-chooser.tsx'
import { pathsTo, withPath } from './folder-tree.ts'
import styles from './pick-folder-prompt.module.css'

export interface PickFolderPromptProps {
  readonly kind: TransferKind
  readonly items: readonly FileItem[]
  /** Answers when it has begun; with undefined when it was called off. @throws ApiError */
  readonly begin: (folder: VirtualPath) => Promise<unknown>
  /** Asks for a name. Answers with the new folder; with undefined when none was made. */
  readonly makeIn: (folder: VirtualPath) => Promise<VirtualPath | undefined>
}

/** Asks for the folder that things go to. */
export function PickFolderPrompt({ kind, items, begin, makeIn, close }: PickFolderPromptProps & PromptProps<true>) {
  const t = useText()
  const mayCreate = useUser()?.perm.create ?? false
  const home = parentOf(items[0]?.path ?? ('/' as VirtualPath))
  const chooser = useFolderChooser({ expanded: new Set(pathsTo(home)), focus: home })
  const { tree, setTree, failed, refresh } = chooser
  const start = useMutation({
    mutationFn: begin,
    onSuccess: (begun) => begun !== undefined && close(true),
  })
  const target = tree.focus
  const possible = transferable(kind, items, target).length > 0
  const problem = start.error ?? failed.get(target)
  const submit = (): void => {
    if (possible && !start.isPending) start.mutate(target)
  }
  const makeFolder = async (): Promise<void> => {
    const path = await makeIn(target)
    if (path === undefined) return
    setTree(({ expanded }) => ({ expanded: withPath(expanded, target, true), focus: path }))
    await refresh(target)
  }
  const count = items.length
  const name = nameOf(items[0]?.path ?? ('/' as VirtualPath))
  const where = [t('files.root'), ...segmentsOf(target)].join(' / ')
  return (
    <Dialog
      title={t(kind === 'copy' ? 'pick.copyTitle' : 'pick.moveTitle', { count, name })}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          {mayCreate && (
            <DialogLead>
              <Button variant="ghost" icon="folder-plus" onClick={() => void makeFolder()}>
                {t('files.newFolder')}
              </Button>
            </DialogLead>
          )}
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={!possible} progress={start.isPending ? 'busy' : 'idle'}>
            {t(kind === 'copy' ? 'pick.copyHere' : 'pick.moveHere')}
          </Button>
        </>
      }
    >
      <FolderChooser
        chooser={chooser}
        isDisabled={(path) =>
          items.some((item) => item.isDir && (path === item.path || path.startsWith(`${item.path}/`)))
        }
        current={home}
        onChange={() => start.reset()}
        onSubmit={submit}
      />
      <p className={styles['target']}>
        <RichText id="pick.to" values={{ folder: where }} elements={[<bdi key="0" />]} />
      </p>
      {problem && (
        <Note icon="error" tone="danger" role="alert">
          {problemText(t, problemOf(problem))}
        </Note>
      )}
    </Dialog>
  )
}
