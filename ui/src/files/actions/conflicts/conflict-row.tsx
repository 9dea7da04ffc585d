import { useFormat } from '../../../i18n/use-format.ts'
import { useText, type MessageId } from '../../../i18n/use-text.tsx'
import { FileName } from '../../../kit/text/names.tsx'
import { FileGlyph } from '../../../kit/icon/icon.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { kindOfName } from '../../../lib/file-kind.ts'
import type { Choice, NameConflict, Version } from './name-conflict.ts'
import styles from './conflict-prompt.module.css'

interface ConflictRowProps {
  readonly conflict: NameConflict
  readonly choice: Choice
  readonly mayReplace: boolean
  readonly onChoose: (choice: Choice) => void
}

const LABELS: Readonly<Record<Choice, MessageId>> = {
  keepBoth: 'conflict.keepBoth',
  replace: 'conflict.replace',
  skip: 'conflict.skip',
}

/** Both versions, and what happens to them. */
export function ConflictRow({ conflict, choice, mayReplace, onChoose }: ConflictRowProps) {
  const t = useText()
  const { name, incoming, existing, replaceable } = conflict
  const choices: Choice[] = mayReplace && replaceable ? ['keepBoth', 'replace', 'skip'] : ['keepBoth', 'skip']
  const merges = incoming.isDir && existing.isDir
  return (
    <div className={styles['row']}>
      <FileGlyph type={incoming.isDir ? 'folder' : (kindOfName(name) ?? 'other')} size={24} />
      <div className={styles['versions']}>
        <span className={styles['name']} title={name}>
          <FileName name={name} />
        </span>
        <VersionText label={t('conflict.new')} version={incoming} />
        <VersionText label={t('conflict.here')} version={existing} />
      </div>
      <Select
        label={t('conflict.whatToDo', { name })}
        value={choices.includes(choice) ? choice : 'keepBoth'}
        options={choices.map((value) => ({
          value,
          label: t(value === 'replace' && merges ? 'conflict.merge' : LABELS[value]),
        }))}
        onChange={onChoose}
      />
    </div>
  )
}

function VersionText({ label, version }: { label: string; version: Version }) {
  const t = useText()
  const format = useFormat()
  const { isDir, size, modified } = version
  // What is dragged in from the desktop as a folder has no date.
  const date = modified === 0 ? '' : format.dateTime(new Date(modified))
  return (
    <span className={styles['version']}>
      <b>{label}</b> <bdi>{[isDir ? t('files.folder') : format.bytes(size), date].filter(Boolean).join(' · ')}</bdi>
    </span>
  )
}
