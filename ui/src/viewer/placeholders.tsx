import type { ReactNode } from 'react'
import { MAX_TEXT_BYTES } from '../../../src/domain/files/resource-type.ts'
import { useFormat } from '../i18n/use-format.ts'
import { type MessageId, useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { EmptyState } from '../kit/feedback/empty-state.tsx'
import { FileName } from '../kit/text/names.tsx'
import { FileGlyph, Icon } from '../kit/icon/icon.tsx'
import { Spinner } from '../kit/feedback/progress.tsx'
import { kindOfName } from '../lib/file-kind.ts'
import { mayLackDecoder } from './file/view-kind.ts'
import type { ViewedFile } from './file/viewed-file.ts'
import styles from './viewer.module.css'

interface NoPreviewProps extends ViewedFile {
  /** Why it is not shown; by default that there is nothing for its kind, or not for its size. */
  readonly reason?: MessageId | undefined
}

/** A file that cannot be shown: what it is, why not, and how to download it. */
export function NoPreview({ file, actions, damaged: failed, reason }: NoPreviewProps) {
  const t = useText()
  // Neither this browser nor the server needs to know each format.
  const damaged = failed && !mayLackDecoder(file.name)
  const kind = kindOfName(file.name) ?? 'other'
  const isMedia = kind === 'video' || kind === 'audio'
  const format = useFormat()
  const downloads = actions.filter(({ id }) => id === 'download' || id === 'raw')
  return (
    <div className={styles['note']}>
      <EmptyState
        art={<FileGlyph type={kind} size={56} />}
        title={<FileName name={file.name} />}
        role={damaged ? 'alert' : undefined}
        actions={downloads.map(({ id, label, icon, run }) => (
          <Button key={id} variant={id === 'download' ? 'primary' : 'secondary'} icon={icon} onClick={run}>
            {label}
          </Button>
        ))}
      >
        <p>
          {t(
            damaged ? (isMedia ? 'viewer.notPlayable' : 'viewer.damaged') : (reason ?? reasonOf(file.name, file.size)),
          )}
        </p>
        <bdi className="num">{[format.bytes(file.size), format.dateTime(new Date(file.modified))].join(' · ')}</bdi>
      </EmptyState>
    </div>
  )
}

function reasonOf(name: string, size: number): MessageId {
  const kind = kindOfName(name)
  if ((kind === 'text' || kind === 'code' || kind === 'table') && size > MAX_TEXT_BYTES) return 'viewer.tooLarge'
  return 'viewer.noPreview'
}

interface StageNoteProps {
  readonly title: string
  readonly children: ReactNode
  readonly onRetry?: (() => void) | undefined
}

/** An error in place of the file. */
export function StageNote({ title, children, onRetry }: StageNoteProps) {
  const t = useText()
  return (
    <div className={styles['note']}>
      <EmptyState
        art={<Icon name="alert" size={40} />}
        title={title}
        role="alert"
        actions={onRetry && <Button onClick={onRetry}>{t('errors.retry')}</Button>}
      >
        {children}
      </EmptyState>
    </div>
  )
}

/** Invisible for the first moment: most files load before a spinner would help. */
export function Waiting() {
  const t = useText()
  return (
    <div className={styles['waiting']} role="status" aria-label={t('viewer.loading')}>
      <Spinner size={24} />
    </div>
  )
}
