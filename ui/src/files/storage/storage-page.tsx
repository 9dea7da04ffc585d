import { parseVirtualPath, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { Job } from '../../../../src/domain/automation/job.ts'
import { folderName } from '../../common/where.ts'
import { usePageTitle } from '../../api/page-config.tsx'
import { useUser } from '../../api/session.ts'
import { problemOf } from '../../common/problem-text.ts'
import { Refusal } from '../../common/refusal.tsx'
import { useFormat, useNow } from '../../i18n/use-format.ts'
import { type MessageId, useText, useTextPart } from '../../i18n/use-text.tsx'
import { AppLink, Button, buttonClass } from '../../kit/button/button.tsx'
import { Segmented } from '../../kit/button/toggles.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { Note } from '../../kit/feedback/note.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import { FileGlyph, Icon } from '../../kit/icon/icon.tsx'
import { Page } from '../../kit/page/page.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useFilesPath, useNavigateTo, useSearchValue } from '../../lib/navigation/navigation.tsx'
import { StorageFiles } from './storage-files.tsx'
import { StorageList } from './storage-list.tsx'
import { StorageMap } from './storage-map.tsx'
import styles from './storage-page.module.css'
import { partsOf, sumOf, type StoragePart } from './storage-parts.ts'
import { StorageUsers } from './storage-users.tsx'
import { useStorage } from './use-storage.ts'

const VIEWS = ['folders', 'largest', 'oldest', 'users'] as const
type View = (typeof VIEWS)[number]

const LABELS: Readonly<Record<View, MessageId>> = {
  folders: 'files.folders',
  largest: 'storage.largest',
  oldest: 'storage.oldest',
  users: 'storage.users',
}

/** What takes the room in a folder: its parts, and the largest and oldest files in all of it. */
export function StoragePage() {
  useTextPart('actions', 'tools')
  const t = useText()
  const navigateTo = useNavigateTo()
  const path = useFilesPath() ?? '/'
  const folder = parseVirtualPath(path)
  const isAdmin = useUser()?.perm.admin ?? false
  const asked = useSearchValue('storage')
  const views = VIEWS.filter((each) => isAdmin || each !== 'users')
  const view = views.find((each) => each === asked) ?? 'folders'
  usePageTitle(t('storage.title'))
  return (
    <div className={styles['scroll']}>
      <Page
        wide="full"
        title={t('storage.title')}
        hint={<bdi>{folderName(t, path)}</bdi>}
        actions={
          <AppLink to={filesHref(path)} className={buttonClass()}>
            <Icon name="list" size={16} />
            {t('storage.showFiles')}
          </AppLink>
        }
      >
        <div className={styles['views']}>
          <Segmented
            label={t('storage.views')}
            options={views.map((value) => ({ value, label: t(LABELS[value]) }))}
            value={view}
            onChange={(next) => navigateTo(`${filesHref(path)}?storage=${next}`, { replace: true })}
          />
        </div>
        {view === 'users' ? <StorageUsers /> : <FolderStorage key={folder} folder={folder} view={view} />}
      </Page>
    </div>
  )
}

interface FolderStorageProps {
  readonly folder: VirtualPath
  readonly view: Exclude<View, 'users'>
}

function FolderStorage({ folder, view }: FolderStorageProps) {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const navigateTo = useNavigateTo()
  const { data, running, failed, error, cancel, again, refresh } = useStorage(folder)
  if (data === undefined) {
    return error === undefined ? <Counting /> : <Failure problem={problemOf(error)} onAgain={again} />
  }
  const { notable } = data
  const parts = partsOf(folder, data)
  const total = notable?.total.bytes ?? sumOf(parts).bytes
  const hrefOf = ({ kind, path }: StoragePart) =>
    kind === 'folder' ? `${filesHref(`${path}/`)}?storage` : filesHref(path)
  const order = view === 'largest' ? 'size' : 'modified'
  return (
    <>
      {running && <Counting job={running} onCancel={cancel} />}
      {failed?.error && <Failure problem={failed.error} onAgain={again} />}
      {failed?.state === 'cancelled' && <Cancelled onAgain={again} />}
      {notable && (
        <p className={styles['sum']}>
          <bdi className="strong">{format.bytes(notable.total.bytes)}</bdi>
          <span>{t('files.countBoth', notable.total)}</span>
          <span className="subtle">
            {t('storage.counted', { when: format.relativeTime(new Date(notable.counted), now) })}
          </span>
        </p>
      )}
      {notable?.total.files === 0 && notable.total.folders === 0 && (
        <EmptyState art={<FileGlyph type="folder" size={56} />} title={t('files.emptyTitle')} role="status" />
      )}
      {view === 'folders' && parts.length > 0 && (
        <div className={styles['folders']}>
          <StorageMap parts={parts} onOpen={(part) => navigateTo(hrefOf(part))} />
          <StorageList parts={parts} total={total} hrefOf={hrefOf} />
        </div>
      )}
      {view !== 'folders' && notable && (
        <StorageFiles
          key={view}
          label={t(LABELS[view])}
          folder={folder}
          files={notable[view]}
          order={order}
          onChange={() => void refresh()}
        />
      )}
    </>
  )
}

interface CountingProps {
  readonly job?: Job
  readonly onCancel?: () => void
}

function Counting({ job, onCancel }: CountingProps) {
  const t = useText()
  const format = useFormat()
  const { files, bytes } = job?.progress ?? { files: 0, bytes: 0 }
  return (
    <div className={styles['counting']} role="status">
      <Spinner size={18} />
      <span>{t('files.calculating')}</span>
      {files > 0 && (
        <span className="subtle">
          {t('files.countFiles', { files })} · {format.bytes(bytes)}
        </span>
      )}
      {onCancel && (
        <Button size="small" onClick={onCancel}>
          {t('files.cancel')}
        </Button>
      )}
    </div>
  )
}

interface FailureProps {
  readonly problem: Parameters<typeof Refusal>[0]['problem']
  readonly onAgain: () => void
}

function Failure({ problem, onAgain }: FailureProps) {
  const t = useText()
  return (
    <Note icon="error" tone="danger" role="alert">
      <p className="strong">{t('storage.failed')}</p>
      <Refusal problem={problem} />
      <Button size="small" icon="retry" onClick={onAgain}>
        {t('errors.retry')}
      </Button>
    </Note>
  )
}

function Cancelled({ onAgain }: Pick<FailureProps, 'onAgain'>) {
  const t = useText()
  return (
    <Note icon="info" role="status">
      <p>{t('actions.cancelled')}</p>
      <Button size="small" icon="retry" onClick={onAgain}>
        {t('errors.retry')}
      </Button>
    </Note>
  )
}
