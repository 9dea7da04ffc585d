import { memo } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { FileName } from '../../kit/file-name.tsx'
import { FileGlyph, Icon } from '../../kit/icon.tsx'
import { IconButton } from '../../kit/icon-button.tsx'
import { Progress } from '../../kit/progress.tsx'
import { classNames } from '../../lib/class-names.ts'
import { kindOfName } from '../../lib/file-kind.ts'
import { formatDuration, secondsLeft } from './speed.ts'
import type { UploadItem } from './upload-queue.ts'
import { problemText } from './upload-texts.ts'
import type { Uploads } from './uploads.ts'
import styles from './upload-panel.module.css'

interface UploadRowProps {
  readonly item: UploadItem
  readonly start: number
  readonly uploads: Uploads
}

export const UploadRow = memo(function UploadRow({ item, start, uploads }: UploadRowProps) {
  const t = useText()
  const { name, state, id } = item
  const shown = item.size === 0 ? 0 : item.sent / item.size
  const failed = state === 'failed'
  return (
    <li className={styles['item']} style={{ transform: `translateY(${start}px)` }}>
      <FileGlyph type={item.file === null ? 'folder' : (kindOfName(name) ?? 'other')} size={24} />
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
        {(state === 'active' || failed) && (
          <Progress thin value={shown} label={name} tone={failed ? 'danger' : 'accent'} className={styles['bar']} />
        )}
      </div>
      <div className={styles['actions']}>
        {failed && (
          <IconButton
            icon="retry"
            size="small"
            label={t('uploads.retry', { name })}
            onClick={() => uploads.retry([id])}
          />
        )}
        {state === 'done' ? (
          <span className={styles['done']} role="img" aria-label={t('uploads.done')}>
            <Icon name="ok" />
          </span>
        ) : (
          <IconButton
            icon="x"
            size="small"
            label={t(failed ? 'uploads.remove' : 'uploads.cancelOne', { name })}
            onClick={() => uploads.remove(id)}
          />
        )}
      </div>
    </li>
  )
})

function StateText({ item }: { readonly item: UploadItem }) {
  const t = useText()
  const format = useFormat()
  switch (item.state) {
    case 'waiting':
      return t('uploads.waiting')
    case 'failed':
      return problemText(t, item.error)
    case 'done':
      return item.file === null ? t('uploads.folder') : format.bytes(item.size)
    case 'active': {
      const left = formatDuration(secondsLeft(item.size - item.sent, item.speed.speed))
      return `${format.percent(item.size === 0 ? 0 : Math.floor((item.sent / item.size) * 100) / 100)} · ${left}`
    }
  }
}
