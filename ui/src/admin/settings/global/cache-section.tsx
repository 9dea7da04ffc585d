import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clearCache, getCache } from '../../../../../src/api/server/cache.ts'
import { useClient, POLL_INTERVAL } from '../../../api/client.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { useAttempt } from '../../forms/use-report-failure.ts'

/** Size of the thumbnail cache, and a button to clear it. Thumbnails are generated again on demand. */
export function CacheSection() {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const { busy, attempt } = useAttempt()
  const { data } = useQuery({
    queryKey: ['cache'],
    queryFn: ({ signal }) => client.call(getCache, { signal }),
    staleTime: 0,
    refetchInterval: POLL_INTERVAL,
    throwOnError: (_error, query) => query.state.data === undefined,
  })
  const clear = async (): Promise<void> => {
    await attempt(async () => {
      await client.call(clearCache, {})
      toasts.success(t('global.cacheCleared'))
    })
    await queries.invalidateQueries({ queryKey: ['cache'] })
  }
  return (
    <SettingCard title={t('global.cache')}>
      <SettingRow
        label={t('global.thumbnails')}
        hint={data && t('global.cacheSize', { count: data.entries, size: format.bytes(data.bytes) })}
      >
        <Button
          size="small"
          disabled={data?.entries === 0}
          progress={busy ? 'busy' : 'idle'}
          onClick={() => void clear()}
        >
          {t('global.cacheClear')}
        </Button>
      </SettingRow>
    </SettingCard>
  )
}
