import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { getResource } from '../../../../../../src/api/files/files.ts'
import { type VirtualPath, nameOf, parentOf, segmentsOf } from '../../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../../api/client.ts'
import { useUser } from '../../../../api/session.ts'
import { useFormat } from '../../../../i18n/use-format.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { Dialog } from '../../../../kit/dialog/dialog.tsx'
import { FileName } from '../../../../kit/text/names.tsx'
import { FileGlyph } from '../../../../kit/icon/icon.tsx'
import type { PromptProps } from '../../../../kit/dialog/prompt-stack.tsx'
import { Picture, glyphOf, useSmallPicture } from '../../picture.tsx'
import type { FileItem, Target } from '../../model.ts'
import { Checksums, CopyButton } from './checksums.tsx'
import { FolderTotal } from './folder-total.tsx'
import { listSharesOfPath } from '../../../../../../src/api/shares/shares.ts'
import { mayDo } from '../../../../../../src/domain/access/permissions.ts'
import styles from './details-prompt.module.css'

/** Details of one entry, of several together, or of the folder when nothing is selected. */
export function DetailsPrompt({ target, close }: { readonly target: Target } & PromptProps<never>) {
  const t = useText()
  const [items] = useState(() => target.items())
  const [only] = items
  return (
    <Dialog title={t('details.title')} onClose={() => close()}>
      {items.length === 0 && <FolderDetails path={target.folder} />}
      {items.length === 1 && only !== undefined && <EntryDetails item={only} />}
      {items.length > 1 && <SelectionDetails items={items} />}
    </Dialog>
  )
}

function FolderDetails({ path }: { readonly path: VirtualPath }) {
  const t = useText()
  const format = useFormat()
  const { data } = useFacts(path, false)
  const listing = data !== undefined && 'items' in data ? data : undefined
  return (
    <>
      <Head
        glyph={<FileGlyph type="folder" size={56} />}
        name={nameOf(path) || t('files.root')}
        kind={t('files.folder')}
      />
      <dl className={styles['facts']}>
        <Location path={path} />
        {listing && (
          <Fact label={t('details.contains')}>
            {t('files.countBoth', { folders: listing.numDirs, files: listing.numFiles })}
          </Fact>
        )}
        {listing && <Fact label={t('files.modified')}>{format.dateTime(new Date(listing.modified))}</Fact>}
        <FolderTotal paths={[path]} bytes={0} />
      </dl>
    </>
  )
}

function EntryDetails({ item }: { readonly item: FileItem }) {
  const t = useText()
  const format = useFormat()
  const mayDownload = useUser()?.perm.download ?? false
  const smallPicture = useSmallPicture()
  const { data } = useFacts(item.path, true, item.type === 'image')
  const picture = data?.resolution
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
      <dl className={styles['facts']}>
        <Location path={item.path} />
        {item.isDir ? (
          <FolderTotal paths={[item.path]} bytes={0} />
        ) : (
          <Fact label={t('files.size')}>
            <Size bytes={item.size} />
          </Fact>
        )}
        <Fact label={t('files.modified')}>{format.dateTime(new Date(item.modified))}</Fact>
        {picture && (
          <Fact label={t('details.picture')}>
            {t('details.pixels', { width: format.number(picture.width), height: format.number(picture.height) })}
          </Fact>
        )}
        <SharedFact path={item.path} />
      </dl>
      {isFile && mayDownload && <Checksums path={item.path} />}
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
    <dl className={styles['facts']}>
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
    </dl>
  )
}

/** Reads a folder when the dialog opens, or the resolution of a picture. Other entries need no request. */
function useFacts(path: VirtualPath, isEntry: boolean, isPicture = false) {
  const client = useClient()
  return useQuery({
    queryKey: ['details', path],
    queryFn: ({ signal }) =>
      client.call(getResource, { params: { '*': path }, query: isPicture ? { resolution: 'true' } : {}, signal }),
    enabled: !isEntry || isPicture,
    gcTime: 0,
    retry: false,
  })
}

function Head({ glyph, name, kind }: { glyph: ReactNode; name: string; kind: string }) {
  return (
    <div className={styles['head']}>
      {glyph}
      <div>
        <p className={styles['name']} title={name}>
          <FileName name={name} />
        </p>
        <p className={styles['kind']}>{kind}</p>
      </div>
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
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
  return <bdi>{[t('files.root'), ...segmentsOf(path)].join(' / ')}</bdi>
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

/** The number of links that share it; nothing without links, or if the user may not share. */
function SharedFact({ path }: { readonly path: VirtualPath }) {
  const t = useText()
  const client = useClient()
  const user = useUser()
  const { data: shares = [] } = useQuery({
    queryKey: ['shares', 'fact', path],
    queryFn: ({ signal }) => client.call(listSharesOfPath, { params: { '*': path }, query: {}, signal }),
    enabled: user !== undefined && mayDo(user.perm, 'shares.manage'),
    gcTime: 0,
    retry: false,
  })
  if (shares.length === 0) return null
  return (
    <>
      <dt>{t('details.shared')}</dt>
      <dd>{t('details.links', { count: shares.length })}</dd>
    </>
  )
}
