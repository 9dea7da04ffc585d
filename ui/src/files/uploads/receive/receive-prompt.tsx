import { useState } from 'react'
import { ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { wayTo } from '../../../common/where.ts'
import { usePermissionsAt } from '../../../api/permissions.ts'
import { RichText, useText } from '../../../i18n/use-text.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { FolderTree, useFolderChildren } from '../../actions/prompts/folders/folder-tree-view.tsx'
import { treeRows, type TreeState } from '../../actions/prompts/folders/folder-tree.ts'
import styles from './receive-prompt.module.css'

interface ReceivePromptProps {
  readonly files: readonly File[]
}

/** Number of files listed by name; the rest is counted. */
const NAMED = 4

/** Asks where to upload the files that another app has shared. */
export function ReceivePrompt({ files, close }: ReceivePromptProps & PromptProps<VirtualPath>) {
  const t = useText()
  const format = useFormat()
  const [tree, setTree] = useState<TreeState>({ expanded: new Set([ROOT]), focus: ROOT })
  const { known, loading } = useFolderChildren(tree.expanded)
  const takes = usePermissionsAt()(tree.focus).create
  const submit = () => takes && close(tree.focus)
  const more = files.length - NAMED
  return (
    <Dialog
      title={t('files.uploadFiles')}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" icon="upload" disabled={!takes}>
            {t('files.upload')}
          </Button>
        </>
      }
    >
      <ul className={styles['files']}>
        {files.slice(0, NAMED).map((file, index) => (
          <li key={index}>
            <Icon name="file" size={16} />
            <bdi className="clip grow">{file.name}</bdi>
            <span className="num muted">{format.bytes(file.size)}</span>
          </li>
        ))}
        {more > 0 && <li className="muted">{t('actions.andMore', { count: more })}</li>}
      </ul>
      <FolderTree
        rows={treeRows(known, tree, '')}
        state={tree}
        loading={loading}
        filtered={false}
        isDisabled={() => false}
        onChange={setTree}
        onSubmit={submit}
      />
      <p className="muted small">
        <RichText id="pick.to" values={{ folder: wayTo(t, tree.focus) }} elements={[<bdi key="0" />]} />
      </p>
    </Dialog>
  )
}
