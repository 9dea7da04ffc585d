import { ROOT, tryParseVirtualPath, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useSavedFolders, type SavedFolders } from '../../api/own-account.ts'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/button.tsx'
import { FileGlyph, Icon } from '../../kit/icon/icon.tsx'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { folderName, wayTo } from '../../common/where.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useFilesPath } from '../../lib/navigation/navigation.tsx'
import { FolderMenus } from './folder-menus.tsx'
import styles from './sidebar.module.css'
import { useId, useState, type ReactNode, useEffect } from 'react'
import sectionStyles from './folder-sections.module.css'
import { useLatest } from '../../lib/hooks.ts'
import { useRecentVisits } from '../../files/list/listing/recent-visits.ts'

const SidebarTree = lazyComponent(async () => (await import('./sidebar-tree.tsx')).SidebarTree)

const MAX_SHOWN = 8

/** Favourites, recent folders and the folder tree, with their menus. */
export function FolderSections() {
  const t = useText()
  const saved = useSavedFolders()
  const path = useFilesPath()
  useRecentFolders(saved, path)
  const here = path === undefined ? undefined : path.replace(/\/$/, '')
  const open = path === undefined ? undefined : openFolder(path)
  // With the open folder, so that the list stays as it is while the user moves through it.
  const recent = useSteadyOrder(saved.recent.filter((folder) => folder !== ROOT).slice(0, MAX_SHOWN))
  return (
    <>
      {saved.favourites.length > 0 && (
        <SidebarSection id="favourites" label={t('shell.favourites')}>
          <FolderList folders={saved.favourites} here={here} />
        </SidebarSection>
      )}
      {recent.length > 0 && (
        <SidebarSection id="recent" label={t('shell.recent')} startsClosed>
          <FolderList folders={recent} here={saved.favourites.some((folder) => folder === here) ? undefined : here} />
        </SidebarSection>
      )}
      {open !== undefined && (
        <SidebarSection id="folders" label={t('files.folders')} startsClosed>
          <LazyBoundary>
            <SidebarTree here={open} />
          </LazyBoundary>
        </SidebarSection>
      )}
      <FolderMenus saved={saved} />
    </>
  )
}

/** The folders in the order in which they were first shown, new ones first: another visit moves nothing. */
function useSteadyOrder(folders: readonly VirtualPath[]): readonly VirtualPath[] {
  const [shown, setShown] = useState(folders)
  const [added, kept] = [
    folders.filter((each) => !shown.includes(each)),
    shown.filter((each) => folders.includes(each)),
  ]
  if (added.length === 0 && kept.length === shown.length) return shown
  const next = [...added, ...kept]
  setShown(next)
  return next
}

/** The open folder, or the folder of the open file; undefined if the address is not a valid path. */
function openFolder(path: string): VirtualPath | undefined {
  return tryParseVirtualPath(path.slice(0, path.lastIndexOf('/') + 1))
}

interface FolderListProps {
  readonly folders: readonly VirtualPath[]
  readonly here: string | undefined
}

function FolderList({ folders, here }: FolderListProps) {
  const t = useText()
  return (
    <ul className={styles['list']}>
      {folders.map((folder) => (
        <li key={folder}>
          <AppLink
            to={filesHref(folder === ROOT ? folder : `${folder}/`)}
            className={styles['item']}
            aria-current={folder === here ? 'page' : undefined}
            title={wayTo(t, folder)}
            data-folder={folder}
          >
            <FileGlyph type="folder" size={18} />
            <bdi className="clip">{folderName(t, folder)}</bdi>
          </AppLink>
        </li>
      ))}
    </ul>
  )
}

interface SidebarSectionProps {
  readonly id: string
  readonly label: string
  readonly startsClosed?: boolean
  readonly children: ReactNode
}

const PREFIX = 'filemgr:sidebar:'

/** A section of the sidebar that can be collapsed. This browser remembers the choice. */
export function SidebarSection({ id, label, startsClosed = false, children }: SidebarSectionProps) {
  const headId = useId()
  const [open, setOpen] = useState(() => (localStorage.getItem(PREFIX + id) ?? (startsClosed ? '' : 'open')) === 'open')
  const toggle = (): void => {
    setOpen(!open)
    localStorage.setItem(PREFIX + id, open ? '' : 'open')
  }
  return (
    <nav className={sectionStyles['section']} aria-labelledby={headId}>
      <button type="button" className={sectionStyles['head']} id={headId} aria-expanded={open} onClick={toggle}>
        <span>{label}</span>
        <Icon name={open ? 'down' : 'right'} size={14} flip />
      </button>
      {open && children}
    </nav>
  )
}

const MAX_RECENT = 20
/** Milliseconds in a folder that count as a visit, not as passing through. */
const MIN_VISIT = 5000

/** Remembers the folders in which the user stays. */
function useRecentFolders({ recent, save }: SavedFolders, path: string | undefined): void {
  const { add } = useRecentVisits()
  const latest = useLatest({ recent, save, add })
  useEffect(() => {
    const folder = path?.endsWith('/') === true ? folderOf(path) : undefined
    if (folder === undefined) return
    const timer = setTimeout(() => {
      latest.current.add(`${folder}/`)
      const known = latest.current.recent
      if (known[0] === folder) return
      const visited = [folder, ...known.filter((each) => each !== folder)].slice(0, MAX_RECENT)
      // Ignored: the next visit saves the list again.
      void latest.current.save('recent', visited).catch(() => undefined)
    }, MIN_VISIT)
    return () => clearTimeout(timer)
  }, [path, latest])
}

/** The folder to remember: not the root, which is one click away, and no invalid path. */
function folderOf(path: string): VirtualPath | undefined {
  const folder = tryParseVirtualPath(path)
  return folder === ROOT ? undefined : folder
}
