import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { ROOT, type VirtualPath, childOf, nameOf } from '../../../../../../src/domain/files/virtual-path.ts'
import { placeIcon } from '../../../places/place-icon.ts'
import { isPlace, placeOfPath } from '../../../../api/places.ts'
import { folderName, rootIcon } from '../../../../common/where.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { FileName } from '../../../../kit/text/names.tsx'
import { FileGlyph, Icon } from '../../../../kit/icon/icon.tsx'
import { Spinner } from '../../../../kit/feedback/progress.tsx'
import { SHARED_FOLDER } from '../../../../../../src/domain/shares/shared-folder.ts'
import { type KnownFolders, type TreeKey, type TreeRow, type TreeState, treeStep } from './folder-tree.ts'
import { classNames } from '../../../../lib/class-names.ts'
import { elementWith } from '../../../../lib/element-with.ts'
import { getResource } from '../../../../../../src/api/files/files.ts'
import { type Client, useClient } from '../../../../api/client.ts'
import styles from './pick-folder-prompt.module.css'

interface FolderTreeProps {
  readonly rows: readonly TreeRow[]
  readonly state: TreeState
  readonly loading: ReadonlySet<VirtualPath>
  readonly filtered: boolean
  /** Marked as the current folder in the tree. */
  readonly current?: VirtualPath | undefined
  isDisabled(path: VirtualPath): boolean
  onChange(next: TreeState): void
  onSubmit(): void
}

const KEYS: Readonly<Partial<Record<string, TreeKey>>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'home',
  End: 'end',
  ' ': 'toggle',
}

/** Folders as a tree with one tab stop. The focused folder is the target. */
export function FolderTree(props: FolderTreeProps) {
  const { rows, state, loading, filtered, current, isDisabled, onChange, onSubmit } = props
  const t = useText()
  const tree = useRef<HTMLUListElement>(null)
  const tabStop = rows.some(({ path }) => path === state.focus) ? state.focus : ROOT
  useShownFocus(tree, state.focus)
  const keyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      onSubmit()
      return
    }
    const key = KEYS[event.key] ?? sideways(event)
    if (key === undefined) return
    event.preventDefault()
    onChange(treeStep(state, key, rows))
  }
  return (
    <ul ref={tree} className={styles['tree']} role="tree" aria-label={t('files.folders')} onKeyDown={keyDown}>
      {rows.map(({ path, level, expanded, position, siblings }) => {
        const disabled = isDisabled(path)
        const toggle = (): void => onChange(treeStep({ ...state, focus: path }, 'toggle', rows))
        return (
          <li
            key={path}
            role="treeitem"
            className={styles['row']}
            style={{ '--depth': level - 1 } as never}
            aria-level={level}
            aria-posinset={position}
            aria-setsize={siblings}
            aria-expanded={expanded}
            aria-selected={path === state.focus}
            aria-disabled={disabled || undefined}
            aria-busy={loading.has(path) || undefined}
            tabIndex={path === tabStop ? 0 : -1}
            data-path={path}
            onClick={() => onChange({ ...state, focus: path })}
            onDoubleClick={toggle}
            onFocus={() => path !== state.focus && onChange({ ...state, focus: path })}
          >
            <span
              className={classNames('touch', styles['twisty'])}
              aria-hidden="true"
              onClick={(event) => {
                event.stopPropagation()
                if (!filtered) toggle()
              }}
            >
              {loading.has(path) ? (
                <Spinner size={16} />
              ) : (
                expanded !== undefined && <Icon name={expanded ? 'down' : 'right'} size={14} flip={!expanded} />
              )}
            </span>
            {path === ROOT ? (
              <Icon name={rootIcon()} />
            ) : path === SHARED_FOLDER ? (
              <Icon name="users" />
            ) : isPlace(path) ? (
              <Icon name={placeIcon(placeOfPath(path))} />
            ) : (
              <FileGlyph type="folder" size={20} />
            )}
            <span className={styles['name']} title={nameOf(path)}>
              <FileName name={folderName(t, path)} />
            </span>
            {(disabled || path === current) && (
              <span className={styles['end']}>{t(disabled ? 'pick.selected' : 'pick.now')}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** In right-to-left pages the tree grows to the left. */
function sideways({ key, currentTarget }: KeyboardEvent<HTMLElement>): TreeKey | undefined {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const rightToLeft = getComputedStyle(currentTarget).direction === 'rtl'
  return (key === 'ArrowRight') === rightToLeft ? 'close' : 'open'
}

/** Scrolls the focused folder into view. While the keyboard focus is in the tree, it moves to that row too. */
function useShownFocus(tree: { current: HTMLElement | null }, focus: VirtualPath): void {
  useEffect(() => {
    const row = elementWith(tree.current, 'data-path', focus)
    row?.scrollIntoView({ block: 'nearest' })
    if (tree.current?.contains(document.activeElement) === true) row?.focus({ preventScroll: true })
  }, [tree, focus])
}

type Answer = readonly VirtualPath[] | Error

interface FolderChildren {
  readonly known: KnownFolders
  readonly loading: ReadonlySet<VirtualPath>
  readonly failed: ReadonlyMap<VirtualPath, Error>
  /** Reads a folder again. */
  refresh(path: VirtualPath): Promise<void>
}

/** The subfolders of these folders, fetched when they are first opened. */
export function useFolderChildren(opened: ReadonlySet<VirtualPath>): FolderChildren {
  const client = useClient()
  const [answers, setAnswers] = useState<ReadonlyMap<VirtualPath, Answer>>(new Map())
  const asked = useRef(new Set<VirtualPath>())
  const refresh = useCallback(
    async (path: VirtualPath): Promise<void> => {
      asked.current.add(path)
      const answer = await foldersIn(client, path).catch((error: unknown) => error as Error)
      // A folder that could not be read is requested again the next time it is opened.
      if (answer instanceof Error) asked.current.delete(path)
      setAnswers((known) => new Map([...known, [path, answer]]))
    },
    [client],
  )
  useEffect(() => {
    for (const path of opened) if (!asked.current.has(path)) void refresh(path)
  }, [opened, refresh])
  const entries = [...answers]
  return {
    known: new Map(entries.flatMap(([path, answer]) => (answer instanceof Error ? [] : [[path, answer]]))),
    failed: new Map(entries.flatMap(([path, answer]) => (answer instanceof Error ? [[path, answer]] : []))),
    loading: new Set([...opened].filter((path) => !answers.has(path))),
    refresh,
  }
}

async function foldersIn(client: Client, path: VirtualPath): Promise<VirtualPath[]> {
  const found = await client.call(getResource, { params: { '*': path } })
  return 'items' in found ? found.items.filter(({ isDir }) => isDir).map(({ name }) => childOf(path, name)) : []
}
