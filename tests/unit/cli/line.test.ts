import { describe, expect, it } from 'vitest'
import { asServe, globalsFromWords, readLine } from '../../../src/cli/program/line.ts'

const line = (text: string) => text.split(' ').filter((word) => word !== '')

describe('readLine', () => {
  it.each([
    ['users ls', 'users'],
    ['--data d --json users ls', 'users'],
    ['--data=d -c x.yaml serve', 'serve'],
    ['nonsense', 'nonsense'],
    ['--version', 'version'],
    ['', undefined],
    ['--data d', undefined],
  ])('finds the command of "%s"', (text, command) => {
    expect(readLine(line(text))).toMatchObject({ command, bareFlags: false })
  })

  it('sees that a line starts with flags of serve', () => {
    expect(readLine(line('-d x -p 9000'))).toMatchObject({ command: undefined, bareFlags: true })
    expect(asServe(line('-d x -p 9000'))).toEqual(line('-d x serve -p 9000'))
  })

  it('does not take --help for a flag of serve', () => {
    expect(readLine(['--help'])).toMatchObject({ bareFlags: false })
  })

  it('turns "help users add" into "users add --help"', () => {
    expect(readLine(line('help users add'))).toMatchObject({ command: 'users', words: line('users add --help') })
    expect(readLine(['help'])).toMatchObject({ command: undefined, words: ['--help'] })
  })
})

describe('globalsFromWords', () => {
  it('finds folder and config file of a line without a command', () => {
    expect(globalsFromWords(line('-d one --config=two.yaml'))).toMatchObject({ data: 'one', config: 'two.yaml' })
    expect(globalsFromWords([])).not.toHaveProperty('data')
  })
})
