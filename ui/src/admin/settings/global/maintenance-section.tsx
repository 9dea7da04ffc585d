import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { beginMaintenance, endMaintenance, getMaintenance } from '../../../../../src/api/server/maintenance.ts'
import type { MaintenanceStatus } from '../../../../../src/domain/server/maintenance.ts'
import { POLL_INTERVAL, useClient } from '../../../api/client.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import { TextInput } from '../../../kit/fields/inputs.tsx'
import { fromLocalText, toLocalText } from '../../../kit/fields/text-field.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { useAttempt } from '../../forms/use-report-failure.ts'

const QUERY_KEY = ['maintenance']
const MAX_MESSAGE = 500

/** Begins and ends maintenance, and shows what still runs. */
export function MaintenanceSection() {
  const client = useClient()
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => client.call(getMaintenance, { signal }),
    staleTime: 0,
    refetchInterval: POLL_INTERVAL,
    throwOnError: (_error, query) => query.state.data === undefined,
  })
  // A change by someone else replaces what is in the fields.
  return data && <MaintenanceForm key={`${data.message}\n${data.until ?? ''}`} state={data} />
}

function MaintenanceForm({ state }: { readonly state: MaintenanceStatus }) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const { busy, attempt } = useAttempt()
  const [message, setMessage] = useState(state.message)
  const [until, setUntil] = useState(state.until === null ? '' : toLocalText(new Date(state.until)))

  const change = async (next: Promise<MaintenanceStatus>): Promise<void> => {
    await attempt(async () => queries.setQueryData(QUERY_KEY, await next))
  }
  const begin = (): void => {
    const end = fromLocalText(until)
    const body = { message: message.trim(), ...(end !== undefined && { until: end.toISOString() }) }
    void change(client.call(beginMaintenance, { body }))
  }

  return (
    <>
      {state.on && (
        <Note icon="clock" role="status">
          {t('global.maintenanceRunning', { count: state.running.requests + state.running.jobs })}
        </Note>
      )}
      <SettingCard
        title={t('global.maintenance')}
        hint={t('global.maintenanceHint')}
        onSubmit={begin}
        footer={
          <>
            {state.on && (
              <span className="grow">
                <Button disabled={busy} onClick={() => void change(client.call(endMaintenance, {}))}>
                  {t('global.maintenanceEnd')}
                </Button>
              </span>
            )}
            <Button type="submit" variant={state.on ? 'secondary' : 'primary'} progress={busy ? 'busy' : 'idle'}>
              {t(state.on ? 'settings.save' : 'global.maintenanceBegin')}
            </Button>
          </>
        }
      >
        <SettingRow label={t('global.maintenanceMessage')} wide>
          {(control) => <TextInput {...control} value={message} maxLength={MAX_MESSAGE} onChange={setMessage} />}
        </SettingRow>
        <SettingRow label={t('global.maintenanceUntil')}>
          {(control) => <TextInput {...control} type="datetime-local" value={until} onChange={setUntil} />}
        </SettingRow>
      </SettingCard>
    </>
  )
}
