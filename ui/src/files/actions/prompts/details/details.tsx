import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getRaw } from '../../../../../../src/api/files/downloads.ts'
import { getResource } from '../../../../../../src/api/files/files.ts'
import type { Resource } from '../../../../../../src/domain/files/resource.ts'
import { type VirtualPath, nameOf, parentOf } from '../../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../../api/client.ts'
import { usePermissionsAt } from '../../../../api/permissions.ts'
import { folderName, wayTo } from '../../../../common/where.ts'
import { useUser } from '../../../../api/session.ts'
import { useFormat } from '../../../../i18n/use-format.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { FileName } from '../../../../kit/text/names.tsx'
import { FileGlyph } from '../../../../kit/icon/icon.tsx'
import { LazyBoundary } from '../../../../kit/lazy-component.tsx'
import { classNames } from '../../../../lib/class-names.ts'
import { isListing, listingQuery } from '../../../queries/listing-query.ts'
import { Picture, glyphOf, useSmallPicture } from '../../picture.tsx'
import type { FileItem } from '../../model.ts'
import { Checksums, CopyButton } from './checksums.tsx'
import { Fact, Facts } from './facts.tsx'
import { FileHistory } from './file-history.tsx'
import { FolderTotal } from './folder-total.tsx'
import { PictureFacts } from './picture-facts.tsx'
import { SharedFact, useLinksOf } from './shared-fact.tsx'
import styles from './details.module.css'

interface DetailsProps {
  readonly folder: VirtualPath
  /** What is selected in the folder. */
  readonly items: readonly FileItem[]
  /** Shows a large picture above the facts. */
  readonly large?: boolean
}

/** Details of one entry, of several together, or of the folder when nothing is selected. */
export function Details({ folder, items, large = false }: DetailsProps) {
  const [only] = items
  if (only === undefined) return <FolderDetails path={folder} large={large} />
  return items.length === 1 ? <EntryDetails item={only} large={large} /> : <SelectionDetails items={items} />
}

interface HeadStyle {
  readonly large: boolean
}

function FolderDetails({ path, large }: { readonly path: VirtualPath } & HeadStyle) {
  const t = useText()
  const format = useFormat()
  const { data } = useQuery({ ...listingQuery(useClient(), path), staleTime: Infinity })
  const listing = data !== undefined && isListing(data) ? data : undefined
  return (
    <>
      <Head
        large={large}
        glyph={<FileGlyph type="folder" size={56} />}
        name={folderName(t, path)}
        kind={t('files.folder')}
      />
      <Facts>
        <Location path={path} />
        {listing && (
          <Fact label={t('details.contains')}>
            {t('files.countBoth', { folders: listing.numDirs, files: listing.numFiles })}
          </Fact>
        )}
        {listing && <Fact label={t('files.modified')}>{format.dateTime(new Date(listing.modified))}</Fact>}
        <FolderTotal paths={[path]} bytes={0} />
      </Facts>
    </>
  )
}

function EntryDetails({ item, large }: { readonly item: FileItem } & HeadStyle) {
  const t = useText()
  const format = useFormat()
  const isAdmin = useUser()?.perm.admin ?? false
  const mayRead = usePermissionsAt()(item.path).read
  const client = useClient()
  const smallPicture = useSmallPicture()
  const links = useLinksOf(item.path)
  const isPicture = item.type === 'image'
  const resolution = useResolution(item.path, isPicture)
  const isFile = !item.isDir && item.type !== 'invalid_link'
  const extension = /\.([^.]{1,10})$/.exec(nameOf(item.path))?.[1]?.toUpperCase()
  const kind = item.isDir
    ? t('files.folder')
    : extension === undefined
      ? t('details.file')
      : t('details.kind', { extension })
  return (
    <>
      <Head
        large={large}
        glyph={
          <Picture
            glyph={glyphOf(item)}
            size={56}
            src={smallPicture({ ...item, name: nameOf(item.path) }, item.path)}
          />
        }
        name={nameOf(item.path)}
        kind={kind}
      />
      <Facts>
        <Location path={item.path} />
        {item.isDir ? (
          <FolderTotal paths={[item.path]} bytes={0} />
        ) : (
          <Fact label={t('files.size')}>
            <Size bytes={item.size} />
          </Fact>
        )}
        <Fact label={t('files.modified')}>{format.dateTime(new Date(item.modified))}</Fact>
        {isPicture && mayRead && (
          <PictureFacts
            address={client.url(getRaw, { params: { '*': item.path }, query: { inline: 'true' } })}
            file={item}
            resolution={resolution}
          />
        )}
        {links !== undefined && links.length > 0 && <SharedFact links={links} />}
      </Facts>
      {/* Once it is certain that no links will move it. */}
      {links !== undefined && (
        <>
          {isFile && mayRead && <Checksums path={item.path} />}
          {large && isAdmin && (
            <LazyBoundary>
              <FileHistory path={item.path} />
            </LazyBoundary>
          )}
        </>
      )}
    </>
  )
}

function SelectionDetails({ items }: { readonly items: readonly FileItem[] }) {
  const t = useText()
  const folders = items.filter(({ isDir }) => isDir).map(({ path }) => path)
  const bytes = items.reduce((sum, { isDir, size }) => sum + (isDir ? 0 : size), 0)
  const parents = new Set(items.map(({ path }) => parentOf(path)))
  const [parent] = parents
  return (
    <Facts>
      {parents.size === 1 && parent !== undefined && <Fact label={t('details.where')}>{<Path path={parent} />}</Fact>}
      <Fact label={t('details.selected')}>
        {t('files.countBoth', { folders: folders.length, files: items.length - folders.length })}
      </Fact>
      {folders.length < items.length && (
        <Fact label={t('details.sizeOfFiles')}>
          <Size bytes={bytes} />
        </Fact>
      )}
      {folders.length > 0 && <FolderTotal paths={folders} bytes={bytes} />}
    </Facts>
  )
}

/** The dimensions of a picture, which a listing omits. */
function useResolution(path: VirtualPath, enabled: boolean): Resource['resolution'] {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['details', path],
    queryFn: ({ signal }) => client.call(getResource, { params: { '*': path }, query: { resolution: 'true' }, signal }),
    enabled,
    gcTime: 0,
    retry: false,
  })
  return data?.resolution
}

function Head({ large, glyph, name, kind }: HeadStyle & { glyph: ReactNode; name: string; kind: string }) {
  return (
    <div className={classNames(styles['head'], large && styles['large'])}>
      {large ? <div className={styles['preview']}>{glyph}</div> : glyph}
      <div>
        <p className={styles['name']} title={name}>
          <FileName name={name} />
        </p>
        <p className={styles['kind']}>{kind}</p>
      </div>
    </div>
  )
}

function Location({ path }: { path: VirtualPath }) {
  const t = useText()
  return (
    <Fact label={t('details.where')}>
      <span className={styles['copyable']}>
        <Path path={parentOf(path)} />
        <CopyButton label={t('shell.copyPath')} text={path} />
      </span>
    </Fact>
  )
}

function Path({ path }: { path: VirtualPath }) {
  const t = useText()
  return <bdi>{wayTo(t, path)}</bdi>
}

function Size({ bytes }: { bytes: number }) {
  const t = useText()
  const format = useFormat()
  return (
    <>
      <bdi>{format.bytes(bytes)}</bdi>{' '}
      {bytes >= 1024 && <span className={styles['subtle']}>{t('details.bytes', { bytes })}</span>}
    </>
  )
}
