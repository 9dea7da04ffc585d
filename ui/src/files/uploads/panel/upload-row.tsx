import { memo } from 'react'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { FileName } from '../../../kit/text/names.tsx'
import { FileGlyph, Icon } from '../../../kit/icon/icon.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { Progress } from '../../../kit/feedback/progress.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { kindOfName } from '../../../lib/file-kind.ts'
import { formatDuration, secondsLeft } from '../../../lib/speed.ts'
import { type UploadItem, openCount } from '../queue/upload-item.ts'
import { problemText } from './upload-texts.ts'
import type { Uploads } from '../uploads.ts'
import type { UploadBatch } from './upload-filter.ts'
import styles from './upload-panel.module.css'

interface UploadRowProps {
  readonly item: UploadItem
  readonly nested: boolean
  readonly start: number
  readonly uploads: Uploads
}

export const UploadRow = memo(function UploadRow({ item, nested, start, uploads }: UploadRowProps) {
  const { name, state, kind } = item
  const failed = state === 'failed'
  const begun = state === 'active' || failed || (state !== 'done' && item.sent > 0)
  return (
    <li
      className={classNames(styles['item'], nested && styles['nested'])}
      style={{ transform: `translateY(${start}px)` }}
    >
      <FileGlyph type={kind === 'folder' ? 'folder' : (kindOfName(name) ?? 'other')} size={24} />
      <div className={styles['middle']}>
        <span className={styles['name']} title={item.path}>
          <FileName name={name} />
        </span>
        <span
          className={classNames(styles['state'], failed && styles['danger'])}
          title={failed ? item.error?.message : undefined}
        >
          <bdi>
            <StateText item={item} />
          </bdi>
        </span>
        {begun && (
          <Progress
            thin
            value={shareOf(item)}
            label={name}
            tone={failed ? 'danger' : state === 'active' ? 'accent' : 'waiting'}
            className={styles['bar']}
          />
        )}
      </div>
      <div className={styles['actions']}>
        <MainAction item={item} uploads={uploads} />
        <LastAction item={item} uploads={uploads} />
      </div>
    </li>
  )
})

interface ActionProps {
  readonly item: UploadItem
  readonly uploads: Uploads
}

/** The most likely next action. */
function MainAction({ item: { id, name, state }, uploads: { queue, pickMissing, retry } }: ActionProps) {
  const t = useText()
  switch (state) {
    case 'active':
    case 'waiting':
      return (
        <IconButton icon="pause" size="small" label={t('uploads.pause', { name })} onClick={() => queue.pause([id])} />
      )
    case 'paused':
      return (
        <IconButton icon="play" size="small" label={t('uploads.resume', { name })} onClick={() => queue.resume([id])} />
      )
    case 'missing':
      return (
        <IconButton
          icon="file-plus"
          size="small"
          label={t('uploads.find', { name })}
          onClick={() => pickMissing([id])}
        />
      )
    case 'failed':
      return <IconButton icon="retry" size="small" label={t('uploads.retry', { name })} onClick={() => retry([id])} />
    case 'done':
      return null
  }
}

function LastAction({ item: { id, name, state }, uploads: { queue } }: ActionProps) {
  const t = useText()
  if (state === 'done') {
    return (
      <span className={styles['done']} role="img" aria-label={t('uploads.done')}>
        <Icon name="ok" />
      </span>
    )
  }
  const label = t(state === 'failed' ? 'uploads.remove' : 'uploads.cancelOne', { name })
  return <IconButton icon="x" size="small" label={label} onClick={() => queue.remove([id])} />
}

function shareOf({ sent, size }: UploadItem): number {
  return size === 0 ? 0 : Math.floor((sent / size) * 100) / 100
}

function StateText({ item }: { readonly item: UploadItem }) {
  const t = useText()
  const format = useFormat()
  const percent = format.percent(shareOf(item))
  switch (item.state) {
    case 'waiting':
      return item.sent > 0 ? `${t('jobs.waiting')} · ${percent}` : t('jobs.waiting')
    case 'paused':
      return item.sent > 0 ? `${t('uploads.paused')} · ${percent}` : t('uploads.paused')
    case 'missing':
      return t('uploads.missing')
    case 'failed':
      return problemText(t, item.error)
    case 'done':
      return item.kind === 'folder' ? t('files.folder') : format.bytes(item.size)
    case 'active':
      return `${percent} · ${formatDuration(secondsLeft(item.size - item.sent, item.speed.speed))}`
  }
}

interface UploadBatchRowProps {
  readonly batch: UploadBatch
  readonly open: boolean
  readonly start: number
  readonly uploads: Uploads
  readonly onToggle: () => void
}

/** A picked folder, with actions for all of its uploads. */
export function UploadBatchRow({ batch, open, start, uploads, onToggle }: UploadBatchRowProps) {
  const t = useText()
  const format = useFormat()
  const { name, totals, items } = batch
  const { failed, done } = totals
  const pending = openCount(totals)
  const share = totals.totalBytes === 0 ? done / items.length : totals.sentBytes / totals.totalBytes
  const text = t('jobs.of', { done: format.number(done), all: format.number(items.length) })
  return (
    <li className={styles['item']} style={{ transform: `translateY(${start}px)` }}>
      <FileGlyph type="folder" size={24} />
      <div className={styles['middle']}>
        <span className={styles['name']} title={name}>
          <FileName name={name} />
        </span>
        <span className={classNames(styles['state'], failed > 0 && styles['danger'])}>
          <bdi>{failed > 0 ? t('uploads.doneOfFailed', { text, failed }) : text}</bdi>
        </span>
        {pending > 0 && <Progress thin value={share} label={name} className={styles['bar']} />}
      </div>
      <div className={styles['actions']}>
        <IconButton
          icon={open ? 'up' : 'down'}
          size="small"
          label={t(open ? 'uploads.closeBatch' : 'uploads.openBatch', { name })}
          aria-expanded={open}
          onClick={onToggle}
        />
        <BatchAction batch={batch} uploads={uploads} />
        {pending + failed > 0 && (
          <IconButton
            icon="x"
            size="small"
            label={t('uploads.cancelOne', { name })}
            onClick={() => uploads.queue.remove(idsIn(batch, ['active', 'waiting', 'paused', 'missing', 'failed']))}
          />
        )}
      </div>
    </li>
  )
}

function BatchAction({
  batch,
  uploads: { queue, pickMissing, retry },
}: Pick<UploadBatchRowProps, 'batch' | 'uploads'>) {
  const t = useText()
  const { name, totals } = batch
  if (totals.active + totals.waiting > 0) {
    const pause = (): void => queue.pause(idsIn(batch, ['active', 'waiting']))
    return <IconButton icon="pause" size="small" label={t('uploads.pause', { name })} onClick={pause} />
  }
  if (totals.missing > 0) {
    const choose = (): void => pickMissing(idsIn(batch, ['missing']))
    return <IconButton icon="folder-plus" size="small" label={t('uploads.find', { name })} onClick={choose} />
  }
  if (totals.paused > 0) {
    const resume = (): void => queue.resume(idsIn(batch, ['paused']))
    return <IconButton icon="play" size="small" label={t('uploads.resume', { name })} onClick={resume} />
  }
  if (totals.failed === 0) return null
  const again = (): void => retry(idsIn(batch, ['failed']))
  return <IconButton icon="retry" size="small" label={t('uploads.retry', { name })} onClick={again} />
}

function idsIn({ items }: UploadBatch, states: readonly string[]): number[] {
  return items.filter(({ state }) => states.includes(state)).map(({ id }) => id)
}
