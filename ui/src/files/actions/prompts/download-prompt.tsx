import { useState } from 'react'
import { type ArchiveFormat, ARCHIVE_EXTENSIONS } from '../../../../../src/domain/files/archive-format.ts'
import { nameOf } from '../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../api/client.ts'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { ARCHIVE_FORMATS, lastFormat, rememberFormat, archiveUrl, rawUrlOf, type RawUrl } from '../download.ts'
import { startDownload } from '../../../lib/start-download.ts'
import type { Target } from '../model.ts'
import styles from './download-prompt.module.css'

const HINTS: Readonly<Record<ArchiveFormat, MessageId>> = {
  zip: 'download.zip',
  tar: 'download.tar',
  targz: 'download.targz',
  tarbz2: 'download.tarbz2',
  tarxz: 'download.tarxz',
  tarlz4: 'download.tarlz4',
  tarsz: 'download.tarsz',
  tarbr: 'download.tarbr',
  tarzst: 'download.tarzst',
}

interface DownloadQuestion {
  readonly target: Target
  /** URLs of files behind a link; undefined for the user's own files. */
  readonly rawUrl?: RawUrl | undefined
  /** The display name of the root folder there. */
  readonly rootName?: string | undefined
}

/** Asks for the format of an archive; the last choice is remembered in this browser. */
export function DownloadPrompt({ target, rawUrl, rootName, close }: DownloadQuestion & PromptProps<never>) {
  const t = useText()
  const client = useClient()
  const [format, setFormat] = useState(lastFormat)
  const [tooMany, setTooMany] = useState(false)
  const [items] = useState(() => target.items())
  const name = nameOf(items[0]?.path ?? target.folder) || (rootName ?? t('files.root'))
  const submit = (): void => {
    const url = archiveUrl(rawUrl ?? rawUrlOf(client), { folder: target.folder, items, all: target.all }, format)
    if (url === undefined) return setTooMany(true)
    rememberFormat(format)
    startDownload(url)
    close()
  }
  return (
    <Dialog
      size="medium"
      title={t('download.title', { count: Math.max(1, items.length), name })}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" icon="download">
            {t('download.as', { format: ARCHIVE_EXTENSIONS[format] })}
          </Button>
        </>
      }
    >
      <fieldset>
        <legend className="visually-hidden">{t('download.format')}</legend>
        <div className={styles['formats']}>
          {ARCHIVE_FORMATS.map((value) => (
            <label key={value} className={styles['format']}>
              <input
                type="radio"
                name="format"
                checked={value === format}
                data-autofocus={value === format ? '' : undefined}
                onChange={() => setFormat(value)}
              />
              <span dir="ltr">{ARCHIVE_EXTENSIONS[value]}</span>
              <span>{t(HINTS[value])}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {tooMany && (
        <Note icon="alert" tone="danger" role="alert">
          {t('download.tooMany')}
        </Note>
      )}
    </Dialog>
  )
}
