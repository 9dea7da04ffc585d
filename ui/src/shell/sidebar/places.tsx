import { isFilemgrError } from '../../../../src/domain/errors.ts'
import { nameOf, parseVirtualPath, ROOT, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useConfig } from '../../api/config.tsx'
import { usePlaces } from '../../api/use-places.ts'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/app-link.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { Fill } from '../../kit/page/slot.tsx'
import { LazyBoundary, lazyPart } from '../../kit/lazy-part.tsx'
import { filesHref } from '../../lib/app-path.ts'
import { useFilesPath } from '../../lib/navigation.tsx'
import { FolderMenus } from './folder-menus.tsx'
import { PathField } from './path-field.tsx'
import { PlaceSection } from './place-section.tsx'
import { UsageBar } from './usage-bar.tsx'
import { useRecentFolders } from './use-recent-folders.ts'
import styles from './sidebar.module.css'

const SidebarTree = lazyPart(async () => (await import('./sidebar-tree.tsx')).SidebarTree)

const MOST_RECENT = 8

/** Favourites and where one was last, in the sidebar; menus and the path field of the breadcrumbs. */
export function Places() {
  const t = useText()
  const places = usePlaces()
  const path = useFilesPath()
  const { DisableUsedPercentage } = useConfig()
  useRecentFolders(places, path)
  const here = path === undefined ? undefined : path.replace(/\/$/, '')
  const open = path === undefined ? undefined : openFolder(path)
  const recent = places.recent.filter((folder) => folder !== here && folder !== ROOT).slice(0, MOST_RECENT)
  return (
    <>
      {!DisableUsedPercentage && path !== undefined && (
        <Fill slot="sidebar-usage">
          <UsageBar path={path} />
        </Fill>
      )}
      <Fill slot="sidebar-places">
        {places.favourites.length > 0 && (
          <PlaceSection id="favourites" label={t('shell.favourites')}>
            <PlaceList folders={places.favourites} here={here} />
          </PlaceSection>
        )}
        {recent.length > 0 && (
          <PlaceSection id="recent" label={t('shell.recent')} startsClosed>
            <PlaceList folders={recent} here={here} />
          </PlaceSection>
        )}
        {open !== undefined && (
          <PlaceSection id="folders" label={t('pick.folders')} startsClosed>
            <LazyBoundary>
              <SidebarTree here={open} />
            </LazyBoundary>
          </PlaceSection>
        )}
      </Fill>
      <FolderMenus places={places} />
      <PathField />
    </>
  )
}

/** The folder that is open, or that of the file that is; none for an address that can be no path. */
function openFolder(path: string): VirtualPath | undefined {
  try {
    return parseVirtualPath(path.slice(0, path.lastIndexOf('/') + 1))
  } catch (error) {
    if (isFilemgrError(error)) return undefined
    throw error
  }
}

interface PlaceListProps {
  readonly folders: readonly VirtualPath[]
  readonly here: string | undefined
}

function PlaceList({ folders, here }: PlaceListProps) {
  const t = useText()
  return (
    <ul className={styles['list']}>
      {folders.map((folder) => (
        <li key={folder}>
          <AppLink
            to={filesHref(folder === ROOT ? folder : `${folder}/`)}
            className={styles['item']}
            aria-current={folder === here ? 'page' : undefined}
            title={folder}
            data-folder={folder}
          >
            <FileGlyph type="folder" size={18} />
            <bdi className="clip">{nameOf(folder) || t('shell.myFiles')}</bdi>
          </AppLink>
        </li>
      ))}
    </ul>
  )
}
