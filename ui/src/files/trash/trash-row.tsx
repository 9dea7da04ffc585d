import type { TrashItem } from '../../../../src/domain/trash.ts'
import { useUser } from '../../api/session-context.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { parentFolder } from '../../lib/app-path.ts'
import { classNames } from '../../lib/class-names.ts'
import { kindOfName } from '../../lib/file-kind.ts'
import type { FormatWhen } from '../../lib/format-when.ts'
import { daysLeft } from './days-left.ts'
import styles from './trash-page.module.css'

interface TrashRowProps {
  readonly item: TrashItem
  readonly start: number
  readonly height: number
  readonly selected: boolean
  readonly when: FormatWhen
  readonly onSelect: (on: boolean) => void
  readonly onRestore: () => void
  readonly onRemove: () => void
}

const SOON = 3

export function TrashRow({ item, start, height, selected, when, onSelect, onRestore, onRemove }: TrashRowProps) {
  const t = useText()
  const format = useFormat()
  const mayRestore = useUser()?.perm.create ?? false
  const { name, path, isDir, size } = item
  const now = new Date()
  const deleted = new Date(item.deleted)
  const left = item.expires === undefined ? undefined : daysLeft(new Date(item.expires), now)
  const folder = parentFolder(path).split('/').filter(Boolean)
  return (
    <li
      className={classNames(styles['row'], selected && styles['chosen'])}
      data-chosen={selected ? '' : undefined}
      style={{ transform: `translateY(${start}px)`, blockSize: height }}
    >
      <Checkbox checked={selected} onChange={onSelect} aria-label={t('files.select', { name })} />
      <FileGlyph type={isDir ? 'folder' : (kindOfName(name) ?? 'other')} size={24} />
      <div className={styles['what']}>
        <span className={styles['name']} title={path}>
          <FileName name={name} />
        </span>
        <span className={styles['fact']}>{t('trash.from', { folder: [t('files.root'), ...folder].join(' / ') })}</span>
      </div>
      <bdi className={styles['size']}>{isDir ? t('files.folder') : format.bytes(size)}</bdi>
      <div className={styles['dates']}>
        <time dateTime={item.deleted} title={format.dateTime(deleted)}>
          {when(deleted, now)}
        </time>
        {left !== undefined && (
          <span className={classNames(styles['fact'], left <= SOON && styles['soon'])}>
            {t('trash.expires', { days: left })}
          </span>
        )}
      </div>
      <div className={styles['buttons']}>
        {mayRestore && <IconButton icon="undo" label={t('trash.restoreOne', { name })} onClick={onRestore} />}
        <IconButton icon="trash" label={t('trash.removeOne', { name })} onClick={onRemove} />
      </div>
    </li>
  )
}
