import { useEffect, useState } from 'react'
import { type VirtualPath, nameOf } from '../../../../src/domain/files/virtual-path.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText, useLocale } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Icon, type IconName } from '../../kit/icon/icon.tsx'
import { Progress } from '../../kit/feedback/progress.tsx'
import { STILL, type SpeedMeter, formatDuration, formatSpeed, readSpeed, secondsLeft } from '../../lib/speed.ts'
import { Refusal } from '../../common/refusal.tsx'
import { type ActivityRow, isOpen, rowTitle } from './activity-rows.ts'
import { EntryList, LeftOut } from './entry-list.tsx'
import styles from './jobs-panel.module.css'

interface JobRowProps {
  readonly row: ActivityRow
  readonly onCancel: () => void
  /** Tries the failed items again. */
  readonly onRetry: (() => void) | undefined
  readonly onShow: (place: { folder: VirtualPath }) => void
}

const ICONS: Readonly<Record<ActivityRow['kind'], IconName>> = {
  copy: 'copy',
  move: 'folder-move',
  trash: 'trash',
  delete: 'trash',
  restore: 'undo',
  checksum: 'hash',
  rename: 'rename',
  measure: 'folder',
  extract: 'archive',
  compress: 'archive',
}

export function JobRow({ row, onCancel, onRetry, onShow }: JobRowProps) {
  const t = useText()
  const { kind, state, share, failed, leftOut, folder, done } = row
  const title = rowTitle(t, row)
  return (
    <li className={styles['job']}>
      <span className={styles['disc']}>
        <Icon name={state === 'failed' ? 'error' : ICONS[kind]} />
      </span>
      <div className={styles['middle']}>
        <bdi className={styles['title']}>{title}</bdi>
        {isOpen(row) && share !== undefined && <Progress value={share} label={title} />}
        <Facts row={row} />
        <EntryList
          isError
          title={t('jobs.failed', { count: failed.length })}
          rows={failed.map(({ path, problem }) => ({
            key: path,
            name: nameOf(path),
            path,
            note: <Refusal problem={problem} />,
          }))}
        />
        <LeftOut entries={leftOut} />
      </div>
      <div className={styles['buttons']}>
        {isOpen(row) && <IconButton icon="x" size="small" label={t('jobs.cancel', { title })} onClick={onCancel} />}
        {!isOpen(row) && failed.length > 0 && onRetry && (
          <Button size="small" onClick={onRetry}>
            {t('jobs.retry', { count: failed.length })}
          </Button>
        )}
        {!isOpen(row) && failed.length === 0 && done > 0 && folder !== undefined && (
          <Button variant="ghost" size="small" onClick={() => onShow({ folder })}>
            {t('actions.show')}
          </Button>
        )}
      </div>
    </li>
  )
}

/** "132 of 214 · 18.4 of 27.1 GiB · 12.3 MiB/s · 00:02:10 left", or when it ended. */
function Facts({ row }: { readonly row: ActivityRow }) {
  const t = useText()
  const format = useFormat()
  const locale = useLocale()
  const { state, count, done, failed, bytes, totalBytes, folder, endedAt } = row
  const { speed } = useSpeed(bytes, isOpen(row))
  const place = folder && t('jobs.to', { folder: nameOf(folder) || t('files.root') })
  const facts: (string | undefined | false)[] =
    state === 'waiting'
      ? [t('jobs.waiting'), place]
      : state === 'running'
        ? [
            count > 1 && t('jobs.of', { done: format.number(done + failed.length), all: format.number(count) }),
            totalBytes > 0 && t('jobs.of', { done: format.bytes(bytes), all: format.bytes(totalBytes) }),
            speed > 0 && formatSpeed(format, speed, locale),
            totalBytes > 0 && t('jobs.left', { time: formatDuration(secondsLeft(totalBytes - bytes, speed)) }),
            place,
          ]
        : [
            state === 'cancelled' && t('jobs.cancelled'),
            endedAt !== undefined && format.relativeTime(new Date(endedAt), new Date()),
          ]
  return (
    <p className={styles['facts']}>
      {facts.filter(Boolean).map((fact) => (
        <bdi key={String(fact)}>{fact}</bdi>
      ))}
    </p>
  )
}

/** Measures the speed whenever the number of bytes changes. */
function useSpeed(bytes: number, running: boolean): SpeedMeter {
  const [meter, setMeter] = useState(STILL)
  useEffect(() => {
    if (running) setMeter((before) => readSpeed(before, bytes, performance.now()))
  }, [bytes, running])
  return meter
}
