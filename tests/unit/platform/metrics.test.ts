import { expect, it } from 'vitest'
import { Counter, gauge, Histogram, metricsText } from '../../../src/platform/metrics.ts'

it('metrics are written as Prometheus reads them', () => {
  const counter = new Counter('requests_total', 'Requests.')
  counter.add(2, { path: 'a"b\\c' })
  counter.add(1, { path: 'a"b\\c' })
  const times = new Histogram('seconds', 'Times.', [0.1, 1])
  for (const value of [0.05, 0.5, 1, 7]) times.observe(value)
  expect(metricsText([counter, times, gauge('users', 'Accounts.', 3)])).toBe(
    [
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      String.raw`requests_total{path="a\"b\\c"} 3`,
      '# HELP seconds Times.',
      '# TYPE seconds histogram',
      'seconds_bucket{le="0.1"} 1',
      'seconds_bucket{le="1"} 3',
      'seconds_bucket{le="+Inf"} 4',
      'seconds_sum 8.55',
      'seconds_count 4',
      '# HELP users Accounts.',
      '# TYPE users gauge',
      'users 3',
      '',
    ].join('\n'),
  )
})
