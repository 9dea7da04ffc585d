import { useState } from 'react'
import type { ARCHIVE_EXTENSIONS, ArchiveFormat } from '../../../../src/domain/archive-format.ts'
import { nameOf } from '../../../../src/domain/virtual-path.ts'
import { useClient } from '../../api/client-context.tsx'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Note } from '../../kit/note.tsx'
import type { PromptProps } from '../../kit/prompt-stack.tsx'
import { archiveUrl, startDownload } from '../download-url.ts'
import type { Target } from '../work.ts'
import styles from './download-prompt.module.css'

// The same as in the domain, as the types see to: what the first view imports as well would come into it.
const EXTENSIONS: typeof ARCHIVE_EXTENSIONS = {
  zip: '.zip',
  tar: '.tar',
  targz: '.tar.gz',
  tarbz2: '.tar.bz2',
  tarxz: '.tar.xz',
  tarlz4: '.tar.lz4',
  tarsz: '.tar.sz',
  tarbr: '.tar.br',
  tarzst: '.tar.zst',
}

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

const FORMATS = Object.keys(EXTENSIONS) as readonly ArchiveFormat[]

const REMEMBERED = 'filemgr:archive-format'

/** Asks for the format of an archive; the last choice is remembered in this browser. */
export function DownloadPrompt({ target, close }: { readonly target: Target } & PromptProps<never>) {
  const t = useText()
  const client = useClient()
  const [format, setFormat] = useState(lastFormat)
  const [tooMany, setTooMany] = useState(false)
  const [items] = useState(() => target.items())
  const name = nameOf(items[0]?.path ?? target.folder) || t('files.root')
  const submit = (): void => {
    const url = archiveUrl(client, { folder: target.folder, items, all: target.all }, format)
    if (url === undefined) return setTooMany(true)
    localStorage.setItem(REMEMBERED, format)
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
            {t('download.as', { format: EXTENSIONS[format] })}
          </Button>
        </>
      }
    >
      <fieldset>
        <legend className="visually-hidden">{t('download.format')}</legend>
        <div className={styles['formats']}>
          {FORMATS.map((value) => (
            <label key={value} className={styles['format']}>
              <input
                type="radio"
                name="format"
                checked={value === format}
                data-autofocus={value === format ? '' : undefined}
                onChange={() => setFormat(value)}
              />
              <span dir="ltr">{EXTENSIONS[value]}</span>
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

function lastFormat(): ArchiveFormat {
  const kept = localStorage.getItem(REMEMBERED)
  return FORMATS.find((value) => value === kept) ?? 'zip'
}
