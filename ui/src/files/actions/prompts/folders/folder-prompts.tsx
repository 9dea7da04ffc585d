import { type ReactNode, useState } from 'react'
import {
  type VirtualPath,
  nameOf,
  parentOf,
  parseVirtualPath,
  ROOT,
} from '../../../../../../src/domain/files/virtual-path.ts'
import { useStore } from '../../../../lib/create-store.ts'
import { useFoundFolders } from '../../../../api/search.ts'
import { RichText, useText } from '../../../../i18n/use-text.tsx'
import { FilterField } from '../../../../kit/fields/text-field.tsx'
import { FolderTree, useFolderChildren } from './folder-tree-view.tsx'
import { type TreeState, pathsTo, treeRows, withFound, withPath } from './folder-tree.ts'
import { Button } from '../../../../kit/button/button.tsx'
import { Dialog, DialogLead } from '../../../../kit/dialog/dialog.tsx'
import { ErrorNote } from '../../../../kit/feedback/note.tsx'
import type { PromptProps } from '../../../../kit/dialog/prompt-stack.tsx'
import { problemOf, problemText } from '../../../../common/problem-text.ts'
import { useMutation } from '@tanstack/react-query'
import { isSharedPath, SHARED_FOLDER } from '../../../../../../src/domain/shares/shared-folder.ts'
import { wayTo } from '../../../../common/where.ts'
import { places } from '../../../../api/places.ts'
import { given, useMayTransfer, usePermissionsAt } from '../../../../api/permissions.ts'
import { transferable } from '../../transfers/plan-transfers.ts'
import type { FileItem, TransferKind, Extract } from '../../model.ts'
import styles from './pick-folder-prompt.module.css'
import type { Encoding } from '../../../../../../src/domain/text/encodings.ts'
import { NameEncodingSelect } from '../../archives/name-encoding-select.tsx'

/** Own files or each place, and what others share if something can be put there. */
function useRoots(start: VirtualPath): readonly VirtualPath[] {
  const takes = useStore(given)?.some(({ permissions }) => permissions.create)
  const several = useStore(places)?.map(({ path }) => path as VirtualPath) ?? []
  const own = several.length > 0 ? several : [ROOT]
  return takes || isSharedPath(start) ? [...own, SHARED_FOLDER] : own
}

/** The folder, or the first of these that takes something if it takes nothing. */
function startIn(
  folder: VirtualPath,
  roots: readonly VirtualPath[],
  takes: (path: VirtualPath) => boolean,
): VirtualPath {
  return [folder, ...roots].find(takes) ?? roots[0] ?? ROOT
}

/** The state of a folder tree with a filter field. The focused folder is the chosen one. */
function useFolderChooser(start: TreeState, roots: readonly VirtualPath[] = [ROOT]) {
  const [tree, setTree] = useState(start)
  const [filter, setFilter] = useState('')
  const { known, loading, failed, refresh } = useFolderChildren(tree.expanded)
  const found = useFoundFolders(filter.trim()).map((path) => parseVirtualPath(path))
  const rows = treeRows(filter.trim() === '' ? known : withFound(known, found), tree, filter, roots)
  return {
    tree,
    setTree,
    filter,
    setFilter,
    rows,
    loading,
    failed,
    /** Makes a folder in the chosen one and chooses it. */
    async make(makeIn: MakeFolder): Promise<void> {
      const path = await makeIn(tree.focus)
      if (path === undefined) return
      setTree(({ expanded }) => ({ expanded: withPath(expanded, tree.focus, true), focus: path }))
      await refresh(tree.focus)
    },
  }
}

/** Asks for a name. Resolves with the new folder, or with undefined if none was created. */
type MakeFolder = (folder: VirtualPath) => Promise<VirtualPath | undefined>

/** At the start of a footer. Nothing for users who may not create folders. */
function MakeFolderButton({ chooser, makeIn }: { readonly chooser: FolderChooserState; readonly makeIn: MakeFolder }) {
  const t = useText()
  if (!usePermissionsAt()(chooser.tree.focus).make) return null
  return (
    <DialogLead>
      <Button variant="ghost" icon="folder-plus" onClick={() => void chooser.make(makeIn)}>
        {t('files.newFolder')}
      </Button>
    </DialogLead>
  )
}

type FolderChooserState = ReturnType<typeof useFolderChooser>

interface FolderChooserProps {
  readonly chooser: FolderChooserState
  /** See `FolderTree`. */
  readonly current?: VirtualPath | undefined
  readonly isDisabled?: (path: VirtualPath) => boolean
  readonly onChange?: () => void
  readonly onSubmit: () => void
}

/** A folder tree with a filter that also finds folders not loaded yet. */
function FolderChooser({ chooser, current, isDisabled, onChange, onSubmit }: FolderChooserProps) {
  const t = useText()
  const { tree, setTree, filter, setFilter, rows, loading } = chooser
  return (
    <>
      <FilterField label={t('pick.filter')} value={filter} onChange={setFilter} />
      <FolderTree
        rows={rows}
        state={tree}
        loading={loading}
        filtered={filter.trim() !== ''}
        isDisabled={isDisabled ?? never}
        current={current}
        onChange={(next) => {
          onChange?.()
          setTree(next)
        }}
        onSubmit={onSubmit}
      />
    </>
  )
}

function never(): boolean {
  return false
}

interface ChooseFolderPromptProps {
  /** The title of the dialog, and the label of its main button. */
  readonly title: string
  /** The folder selected at first. It need not exist. */
  readonly start: VirtualPath
  /** Formats the chosen folder as the caller will store it. */
  readonly format: (path: VirtualPath) => string
  /** Offers to make a folder. */
  readonly makeIn?: MakeFolder | undefined
  /** Also offers what others share. @returns whether a folder can be chosen */
  readonly mayChoose?: ((path: VirtualPath) => boolean) | undefined
  /** Further fields. */
  readonly children?: ReactNode
}

/** Asks for one of the user's folders. */
export function ChooseFolderPrompt({
  title,
  start,
  format,
  makeIn,
  mayChoose,
  children,
  close,
}: ChooseFolderPromptProps & PromptProps<VirtualPath>) {
  const t = useText()
  const roots = useRoots(start)
  const chooser = useFolderChooser({ expanded: new Set(pathsTo(parentOf(start))), focus: start }, mayChoose && roots)
  const { focus } = chooser.tree
  const problem = chooser.failed.get(focus)
  // A folder that the filter hides, or that does not exist, cannot be chosen.
  const isThere = chooser.rows.some(({ path }) => path === focus) && mayChoose?.(focus) !== false
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
          {makeIn && <MakeFolderButton chooser={chooser} makeIn={makeIn} />}
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={!isThere}>
            {title}
          </Button>
        </>
      }
    >
      <FolderChooser chooser={chooser} onSubmit={submit} />
      <p className={styles['target']}>{isThere && <bdi dir="ltr">{format(focus)}</bdi>}</p>
      {children}
      <ErrorNote>{problem && problemText(t, problemOf(problem))}</ErrorNote>
    </Dialog>
  )
}

interface PickFolderPromptProps {
  readonly kind: TransferKind
  readonly items: readonly FileItem[]
  /** Resolves once the transfer has started, or with undefined if the user cancels it. @throws ApiError */
  readonly begin: (folder: VirtualPath) => Promise<unknown>
  readonly makeIn: MakeFolder
}

/** Asks for the folder to move or copy to. */
export function PickFolderPrompt({ kind, items, begin, makeIn, close }: PickFolderPromptProps & PromptProps<true>) {
  const t = useText()
  const home = parentOf(items[0]?.path ?? ('/' as VirtualPath))
  const mayTransfer = useMayTransfer()
  const from = items[0]?.path ?? home
  const roots = useRoots(home)
  const start = startIn(home, roots, (path) => mayTransfer(kind, from, path))
  const chooser = useFolderChooser({ expanded: new Set(pathsTo(start)), focus: start }, roots)
  const { tree, failed } = chooser
  const beginning = useMutation({
    mutationFn: begin,
    onSuccess: (begun) => begun !== undefined && close(true),
  })
  const target = tree.focus
  const possible = mayTransfer(kind, from, target) && transferable(kind, items, target).length > 0
  const problem = beginning.error ?? failed.get(target)
  const submit = (): void => {
    if (possible && !beginning.isPending) beginning.mutate(target)
  }
  const count = items.length
  const name = nameOf(items[0]?.path ?? ('/' as VirtualPath))
  const where = wayTo(t, target)
  return (
    <Dialog
      title={t(kind === 'copy' ? 'pick.copyTitle' : 'pick.moveTitle', { count, name })}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <MakeFolderButton chooser={chooser} makeIn={makeIn} />
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={!possible} progress={beginning.isPending ? 'busy' : 'idle'}>
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
        onChange={() => beginning.reset()}
        onSubmit={submit}
      />
      <p className={styles['target']}>
        <RichText id="pick.to" values={{ folder: where }} elements={[<bdi key="0" />]} />
      </p>
      <ErrorNote>{problem && problemText(t, problemOf(problem))}</ErrorNote>
    </Dialog>
  )
}

interface ExtractChoice {
  readonly folder: VirtualPath
  readonly encoding: Encoding | undefined
}

/** Asks for the folder, and how to read names that do not say their encoding if the archive has such. */
export function ExtractPrompt(props: Extract & { readonly makeIn: MakeFolder } & PromptProps<ExtractChoice>) {
  const { archive, items, encoding, detected, makeIn, close } = props
  const t = useText()
  const mayTransfer = useMayTransfer()
  const [chosen, setChosen] = useState(encoding)
  // Selected items have the names of the encoding in which they were shown.
  const isAsked = detected !== undefined && items === undefined
  return (
    <ChooseFolderPrompt
      title={t('actions.extract')}
      start={startIn(parentOf(archive), useRoots(archive), (path) => mayTransfer('copy', archive, path))}
      format={String}
      makeIn={makeIn}
      mayChoose={(folder) => mayTransfer('copy', archive, folder)}
      close={(folder) => close(folder && { folder, encoding: chosen })}
    >
      {isAsked && <NameEncodingSelect value={chosen} detected={detected} onChange={setChosen} />}
    </ChooseFolderPrompt>
  )
}
