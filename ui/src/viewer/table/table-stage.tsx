import { useLingui } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { fetchFile } from '../fetch-file.ts'
import { NoPreview } from '../no-preview.tsx'
import { useFileUrls } from '../use-file-urls.ts'
import type { ViewedFile } from '../viewed-file.ts'
import { Waiting } from '../waiting.tsx'
import { ENCODINGS } from './encodings.ts'
import { PrintedTable } from './printed-table.tsx'
import { TableGrid } from './table-grid.tsx'
import type { Arrangement } from './table-model.ts'
import { useTable } from './use-table.ts'
import styles from './table-stage.module.css'

/** Read as a whole, so no more than a page can hold several times. */
const LARGEST = 50 * 1024 * 1024

const SEPARATORS = [',', ';', '|', '\t']

/** A table in a text file: sorted, filtered, read with another separator or encoding. */
export function TableStage(viewed: ViewedFile) {
  return viewed.file.size > LARGEST ? <NoPreview {...viewed} /> : <Table {...viewed} />
}

function Table({ file, path }: ViewedFile) {
  const t = useText()
  const format = useFormat()
  const [separator, setSeparator] = useState('')
  const [encoding, setEncoding] = useState<string>('utf-8')
  const [firstRowIsHead, setFirstRowIsHead] = useState(true)
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState<Pick<Arrangement, 'column' | 'descending'>>({})
  const [window, setWindow] = useState<readonly [number, number]>([0, 100])
  const { locale } = useLingui().i18n
  const arrangement = { filter: useDeferredValue(filter), ...sort, locale }
  const table = useTable({ bytes: useBytes(path, file), encoding, separator, firstRowIsHead, arrangement, window })
  if (table === undefined) return <Waiting />
  const { facts, count } = table
  const sortBy = (column: number): void =>
    setSort((before) => {
      if (before.column !== column) return { column }
      return before.descending === true ? {} : { column, descending: true }
    })
  return (
    <div className={styles['table']}>
      <div className={styles['tools']} role="group" aria-label={t('viewer.tableOptions')}>
        <input
          className={styles['filter']}
          type="search"
          aria-label={t('viewer.filterRows')}
          placeholder={t('viewer.filterRows')}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <Select
          label={t('viewer.separator')}
          value={separator}
          onChange={setSeparator}
          options={[
            { value: '', label: t('viewer.separatorGuessed') },
            ...SEPARATORS.map((value) => ({ value, label: value === '\t' ? t('viewer.separatorTab') : value })),
          ]}
        />
        <Select
          label={t('viewer.encoding')}
          value={encoding}
          onChange={setEncoding}
          options={ENCODINGS.map((value) => ({ value, label: value.toUpperCase() }))}
        />
        <Checkbox checked={firstRowIsHead} onChange={setFirstRowIsHead} label={t('viewer.firstRowIsHead')} />
        <span className="grow" />
        <span className={styles['count']} role="status">
          {count < facts.rows && `${format.number(count)} / `}
          {t('viewer.countRows', { count: facts.rows })}
        </span>
      </div>
      <TableGrid table={table} label={file.name} sort={sort} onSort={sortBy} onWindow={setWindow} />
      <PrintedTable table={table} />
    </div>
  )
}

function useBytes(path: ViewedFile['path'], file: ViewedFile['file']): ArrayBuffer | undefined {
  const client = useClient()
  const urls = useFileUrls()
  const { data } = useQuery({
    queryKey: ['bytes', urls.raw(path), file.modified, file.size],
    staleTime: 'static',
    // Not kept for later: it may be large.
    gcTime: 0,
    retry: false,
    throwOnError: true,
    queryFn: async ({ signal }) => await (await fetchFile(client, urls.raw(path), signal)).arrayBuffer(),
  })
  return data
}
