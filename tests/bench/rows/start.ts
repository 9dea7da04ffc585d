import { writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { createDataFolder, FILEMGR, startDaemon } from '../daemon.ts'
import { listening, output, startProgram } from '../processes.ts'
import type { Row } from '../row.ts'
import { HELLO, type Workbench } from '../workbench.ts'

export function startRows({ data, at, freePort }: Workbench): Row[] {
  const folder = at('second-data')
  return [
    {
      name: 'start to /health',
      unit: 's',
      goal: { value: 0.25 },
      repeats: 10,
      limit: {
        name: 'hello',
        run: async () => {
          const port = await freePort()
          const start = performance.now()
          await using _hello = startProgram(process.execPath, ['-e', HELLO, String(port)])
          await listening(port)
          return (performance.now() - start) / 1000
        },
      },
      run: async () => {
        await using daemon = await startDaemon(folder, data.root)
        await setTimeout(1000)
        return { value: daemon.startSeconds, memory: daemon.meter.memory() }
      },
    },
    {
      name: 'users ls',
      unit: 's',
      goal: { ratio: 2.5 },
      repeats: 20,
      limit: {
        name: 'empty script',
        run: async () => {
          writeFileSync(at('empty.cjs'), '')
          return await seconds(async () => await output(process.execPath, [at('empty.cjs')]))
        },
      },
      run: async () => {
        createDataFolder(folder, data.root)
        return { value: await seconds(async () => await output(FILEMGR, ['--data', folder, 'users', 'ls'])) }
      },
    },
  ]
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
