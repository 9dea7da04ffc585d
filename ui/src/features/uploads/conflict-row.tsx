import { useFormat } from '../../i18n/use-format.ts'
import { useText, type MessageId } from '../../i18n/use-text.tsx'
import { FileName } from '../../kit/file-name.tsx'
import { FileGlyph } from '../../kit/icon.tsx'
import { Select } from '../../kit/select.tsx'
import { kindOfName } from '../../lib/file-kind.ts'
import type { Choice, Conflict } from './conflict-check.ts'
import styles from './conflict-prompt.module.css'

interface ConflictRowProps {
  readonly conflict: Conflict
  readonly choice: Choice
  readonly mayReplace: boolean
  readonly onChoose: (choice: Choice) => void
}

const LABELS: Readonly<Record<Choice, MessageId>> = {
  keepBoth: 'uploads.keepBoth',
  replace: 'uploads.replace',
  skip: 'uploads.skip',
}

/** Both versions, and what happens to them. */
export function ConflictRow({ conflict, choice, mayReplace, onChoose }: ConflictRowProps) {
  const t = useText()
  const { entry, existing, replaceable } = conflict
  const choices: Choice[] = mayReplace && replaceable ? ['keepBoth', 'replace', 'skip'] : ['keepBoth', 'skip']
  const { file } = entry
  return (
    <div className={styles['row']}>
      <FileGlyph type={file === null ? 'folder' : (kindOfName(file.name) ?? 'other')} size={24} />
      <div className={styles['versions']}>
        <span className={styles['name']} title={entry.path}>
          <FileName name={entry.path} />
        </span>
        <Version label={t('uploads.new')} size={file?.size ?? null} date={file ? new Date(file.lastModified) : null} />
        <Version
          label={t('uploads.here')}
          size={existing.isDir ? null : existing.size}
          date={new Date(existing.modified)}
        />
      </div>
      <Select
        label={t('uploads.whatToDo', { name: entry.path })}
        value={choices.includes(choice) ? choice : 'keepBoth'}
        options={choices.map((value) => ({ value, label: t(LABELS[value]) }))}
        onChange={onChoose}
      />
    </div>
  )
}

function Version({ label, size, date }: { label: string; size: number | null; date: Date | null }) {
  const t = useText()
  const format = useFormat()
  const facts = [size === null ? t('uploads.folder') : format.bytes(size), date && format.dateTime(date)]
  return (
    <span className={styles['version']}>
      <b>{label}</b> <bdi>{facts.filter(Boolean).join(' · ')}</bdi>
    </span>
  )
}
