import { useMemo, useState } from 'react'
import type { FlatResource } from '../../../../src/domain/files/resource.ts'
import { nameOf, parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useLocale, useText } from '../../i18n/use-text.tsx'
import { AppLink, Button } from '../../kit/button/button.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import { DataTable, SelectionBar } from '../../kit/table/data-table.tsx'
import type { TableColumn } from '../../kit/table/table-sections.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { kindOfName } from '../../lib/file-kind.ts'
import { createFormatWhen } from '../../lib/format.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { plainName } from '../../lib/plain-name.ts'
import { useFileActions } from '../actions/file-actions-context.tsx'
import { groupedEntries } from '../actions/menus/action-groups.ts'
import { isOffered, type OfferedAction } from '../actions/menus/selection-actions.ts'
import { useSelectionActions } from '../actions/menus/use-selection-actions.ts'
import type { FileItem } from '../actions/model.ts'
import styles from './storage-page.module.css'

interface StorageFilesProps {
  readonly label: string
  readonly folder: VirtualPath
  readonly files: readonly FlatResource[]
  readonly order: 'size' | 'modified'
  /** After files were renamed, moved or deleted. */
  readonly onChange: () => void
}

/** The largest or the oldest files, with the actions that they have in a list of files. */
export function StorageFiles({ label, folder, files, order, onChange }: StorageFilesProps) {
  const t = useText()
  const navigateTo = useNavigateTo()
  const columns = useColumns()
  const actionsOf = useActionsOf(folder, onChange)
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const selected = files.filter(({ path }) => keys.has(path))
  const menuOf = (file: FlatResource): MenuEntry[] => {
    const path = file.path as VirtualPath
    const open = (): void => navigateTo(filesHref(path))
    const reveal = (): void => navigateTo(filesHref(folderPath(path)), { reveal: nameOf(path) })
    return groupedEntries([
      { id: 'open', label: t('files.open'), icon: 'eye', run: open },
      { id: 'openFolder', label: t('search.openFolder'), icon: 'folder', run: reveal },
      // Without keys, which belong to the list of a folder.
      ...actionsOf([file]).map(({ id, label: name, icon, danger, run }) => ({ id, label: name, icon, danger, run })),
    ])
  }
  return (
    <div className={styles['files']}>
      {selected.length > 0 && (
        <SelectionBar
          label={t('files.selectionActions')}
          count={t('files.selected', { count: selected.length })}
          clearLabel={t('files.clearSelection')}
          onClear={() => setKeys(new Set())}
        >
          {actionsOf(selected)
            .filter(({ bar }) => bar)
            .map(({ id, label: name, icon, run }) => (
              <Button key={id} variant="ghost" icon={icon} onClick={run}>
                <span>{name}</span>
              </Button>
            ))}
        </SelectionBar>
      )}
      <DataTable
        label={label}
        columns={columns}
        rows={files}
        keyOf={({ path }) => path}
        sort={{ column: order, descending: order === 'size' }}
        texts={{ sortBy: t('files.sortBy'), descending: t('storage.descending'), more: String }}
        selection={{
          selected: keys,
          onChange: setKeys,
          label: ({ name }) => t('files.select', { name }),
          allLabel: t('files.selectAll'),
        }}
        actions={{
          head: t('files.actions'),
          cell: (file) => (
            <MenuButton label={t('files.actionsFor', { name: file.name })} entries={() => menuOf(file)} />
          ),
        }}
      />
    </div>
  )
}

function useColumns(): readonly TableColumn<FlatResource>[] {
  const t = useText()
  const format = useFormat()
  const locale = useLocale()
  return useMemo(() => {
    const when = createFormatWhen(locale)
    return [
      {
        id: 'name',
        head: t('files.name'),
        isTitle: true,
        cell: ({ name, path }) => (
          <span className={styles['file']}>
            <FileGlyph type={kindOfName(name) ?? 'other'} size={24} />
            <span>
              <AppLink className="touch" to={filesHref(path)} title={name}>
                <FileName name={name} />
              </AppLink>
              <bdi className="clip subtle">{plainName(parentOf(path as VirtualPath))}</bdi>
            </span>
          </span>
        ),
      },
      {
        id: 'size',
        head: t('files.size'),
        compare: (one, other) => one.size - other.size,
        cell: ({ size }) => <bdi className="num">{format.bytes(size)}</bdi>,
      },
      {
        id: 'modified',
        head: t('files.modified'),
        compare: (one, other) => Date.parse(one.modified) - Date.parse(other.modified),
        cell: ({ modified }) => {
          const date = new Date(modified)
          return (
            <time dateTime={modified} title={format.dateTime(date)}>
              {when(date, new Date())}
            </time>
          )
        },
      },
    ]
  }, [t, format, locale])
}

function useActionsOf(folder: VirtualPath, onChange: () => void): (chosen: readonly FlatResource[]) => OfferedAction[] {
  const files = useFileActions()
  const actionsOf = useSelectionActions()
  const noting = async (change: Promise<unknown>): Promise<void> => {
    await change
    onChange()
  }
  const here = {
    ...files,
    rename: async (item: FileItem) => await noting(files.rename(item)),
    moveTo: async (items: readonly FileItem[]) => await noting(files.moveTo(items)),
    remove: async (items: readonly FileItem[]) => await noting(files.remove(items)),
    removeForever: async (items: readonly FileItem[]) => await noting(files.removeForever(items)),
  }
  return (chosen) => {
    const items = chosen.map(itemOf)
    return actionsOf({ folder, count: items.length, items: () => items, all: false }, here).filter(isOffered)
  }
}

function itemOf({ path, isDir, size, modified, name }: FlatResource): FileItem {
  return { path: path as VirtualPath, isDir, size, modified, type: kindOfName(name) === 'image' ? 'image' : '' }
}

function folderPath(path: VirtualPath): string {
  const folder = parentOf(path)
  return folder === '/' ? folder : `${folder}/`
}
