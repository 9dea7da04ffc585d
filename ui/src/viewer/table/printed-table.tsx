import { useFormat } from '../../i18n/use-format.ts'
import { Printed } from '../../kit/text/printed.tsx'
import type { OpenTable } from './use-table.ts'

/** A table on paper, as it is sorted and filtered. */
export function PrintedTable({ table: { facts, count, printed } }: { readonly table: OpenTable }) {
  const format = useFormat()
  return (
    <Printed>
      {() => (
        <>
          <table dir="ltr">
            <thead>
              <tr>
                {facts.columns.map((name, index) => (
                  <th key={index} dir="auto">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {printed.map(({ number, cells }) => (
                <tr key={number}>
                  {facts.columns.map((_, index) => (
                    <td key={index} dir="auto">
                      {cells[index]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {count > printed.length && (
            <p>
              {format.number(printed.length)} / {format.number(count)}
            </p>
          )}
        </>
      )}
    </Printed>
  )
}
