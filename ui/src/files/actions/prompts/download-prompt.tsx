import { useState } from 'react'
import { type ArchiveFormat, ARCHIVE_EXTENSIONS } from '../../../../../src/domain/files/archives/archive-format.ts'
import { nameOf, ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { placePathOf } from '../../../api/places.ts'
import { folderName } from '../../../common/where.ts'
import { useClient } from '../../../api/client.ts'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { ARCHIVE_FORMATS, type ArchiveSource, archiveUrl, lastFormat, ownFiles, rememberFormat } from '../download.ts'
import { startDownload } from '../../../lib/start-download.ts'
import { downloadProblem } from '../batches/download-problem.ts'
import type { FileItem, Target } from '../model.ts'
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
  /** Undefined for the user's own files. */
  readonly source?: ArchiveSource | undefined
  /** The display name of the root folder there. */
  readonly rootName?: string | undefined
}

interface Part {
  readonly folder: VirtualPath
  readonly items: readonly FileItem[]
  readonly all: boolean
}

/** An archive has files of one place. */
function partsOf({ folder, items, all }: Part): Part[] {
  const places = Map.groupBy(items, ({ path }) => placePathOf(path))
  if (folder !== ROOT || places.has(undefined) || places.size === 0) return [{ folder, items, all }]
  return [...places].map(([place = ROOT, own]) => ({ folder: place as VirtualPath, items: own, all: false }))
}

/** Asks for the format of an archive; the last choice is remembered in this browser. */
export function DownloadPrompt({ target, source, rootName, close }: DownloadQuestion & PromptProps<never>) {
  const t = useText()
  const client = useClient()
  const [format, setFormat] = useState(lastFormat)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [items] = useState(() => target.items())
  const name = nameOf(items[0]?.path ?? target.folder) || (rootName ?? folderName(t, ROOT))
  const submit = async (): Promise<void> => {
    setBusy(true)
    try {
      for (const part of partsOf({ ...target, items }))
        startDownload(await archiveUrl(source ?? ownFiles(client), part, format))
      rememberFormat(format)
      close()
    } catch (error) {
      setProblem(downloadProblem(t, error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      size="medium"
      title={t('download.title', { count: Math.max(1, items.length), name })}
      onClose={() => close()}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" icon="download" disabled={isBusy}>
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
      {problem !== undefined && (
        <Note icon="alert" tone="danger" role="alert">
          {problem}
        </Note>
      )}
    </Dialog>
  )
}
