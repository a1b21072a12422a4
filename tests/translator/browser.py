"""Debian's chromium, headless, as a person uses it: clicks, keys, and pictures. By its debugging protocol over a pipe."""
import base64
import json
import os
import select
import subprocess
import time


class Browser:
    def __init__(self, program, profile):
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()

        def places():  # the protocol's: 3 is read, 4 is written
            in_between = [os.dup2(end, number) for end, number in ((to_read, 40), (to_write, 41))]
            for end, number in zip(in_between, (3, 4)):
                os.dup2(end, number)

        self.process = subprocess.Popen(
            [program, '--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', '--window-size=1280,1000',
             f'--user-data-dir={profile}', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=places, close_fds=False)
        os.close(to_read)
        os.close(to_write)
        self.last, self.session, self.events, self.pending = 0, None, [], b''
        target = next(t for t in self.call('Target.getTargets')['targetInfos'] if t['type'] == 'page')
        self.session = self.call('Target.attachToTarget', targetId=target['targetId'], flatten=True)['sessionId']
        self.call('Page.enable')
        self.call('Network.enable')

    def __enter__(self):
        return self

    def __exit__(self, *error):
        try:
            self.session = None
            self.call('Browser.close')
            self.process.wait(30)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            os.close(self.write_end)
            os.close(self.read_end)

    def receive(self):
        while b'\0' not in self.pending:
            ready, _, _ = select.select([self.read_end], [], [], 120)
            part = os.read(self.read_end, 1 << 20) if ready else b''
            if not part:
                raise RuntimeError('chromium does not answer')
            self.pending += part
        message, self.pending = self.pending.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.last += 1
        message = {'id': self.last, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self.receive()
            if answer.get('id') == self.last:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]}')
                return answer['result']
            self.events.append(answer)

    def open(self, address):
        """Another page than the one that is open, of which another fragment is none."""
        self.events.clear()
        self.call('Page.navigate', url=address)
        while not any(event.get('method') == 'Page.loadEventFired' for event in self.events):
            self.events.append(self.receive())

    def requests(self):
        """What the page has asked for since it was opened."""
        return [event['params']['request']['url'] for event in self.events if event.get('method') == 'Network.requestWillBeSent']

    def value(self, expression):
        return self.call('Runtime.evaluate', expression=expression, returnByValue=True)['result'].get('value')

    def click(self, selector):
        """With the mouse, in the middle of what the selector names."""
        x, y = self.value(f'(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect(); '
                          'return [r.x + r.width / 2, r.y + r.height / 2]; })()')
        for kind in ('mousePressed', 'mouseReleased'):
            self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left', clickCount=1)

    def type(self, text):
        for letter in text:
            self.call('Input.dispatchKeyEvent', type='keyDown', text=letter)
            self.call('Input.dispatchKeyEvent', type='keyUp')

    def press(self, key, code):
        for kind in ('rawKeyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def wait_for(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not self.value(expression):
            if time.monotonic() > end:
                raise AssertionError(f'not so after {seconds} s: {expression}')
            time.sleep(0.05)

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.call('Page.captureScreenshot', format='png')['data']))
