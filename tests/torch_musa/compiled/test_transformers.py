"""Tiny random models of Hugging Face's transformers on musa against the CPU: forward, generate with a static cache, eager and compiled; one training
step of accelerate's and of Trainer on two devices, by DDP and by FSDP2."""
import subprocess
import sys

import pytest
import torch

transformers = pytest.importorskip('transformers')
if not torch.__version__.startswith('2.15.'):
    pytest.skip('Inductor has code for musa devices since PyTorch 2.15', allow_module_level=True)

SIZES = {'hidden_size': 32, 'num_hidden_layers': 2, 'num_attention_heads': 4, 'intermediate_size': 64}
WORDS = {**SIZES, 'vocab_size': 96, 'max_position_embeddings': 64, 'pad_token_id': 0}
NAMES = ('llama', 'qwen', 'bert', 'gpt2', 'vit')


def make(name):
    torch.manual_seed(0)
    if name == 'llama':
        return transformers.LlamaForCausalLM(transformers.LlamaConfig(**WORDS, num_key_value_heads=2))
    if name == 'qwen':
        return transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**WORDS, num_key_value_heads=2, head_dim=8))
    if name == 'bert':
        return transformers.BertForMaskedLM(transformers.BertConfig(**WORDS))
    if name == 'gpt2':
        return transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=96, n_positions=64, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0))
    return transformers.ViTForImageClassification(transformers.ViTConfig(**SIZES, image_size=16, patch_size=4, num_labels=5))


def inputs(name, device):
    torch.manual_seed(1)
    if name == 'vit':
        return {'pixel_values': torch.randn(2, 3, 16, 16).to(device)}
    return {'input_ids': torch.randint(1, 96, (2, 10)).to(device)}


@pytest.mark.parametrize('name', NAMES)
def test_forward(name):
    model = make(name).eval()
    with torch.no_grad():
        expected = model(**inputs(name, 'cpu')).logits
        model.to('musa')
        eager = model(**inputs(name, 'musa')).logits
        torch._dynamo.reset()
        compiled = torch.compile(model)(**inputs(name, 'musa')).logits
    assert eager.device.type == compiled.device.type == 'musa'
    torch.testing.assert_close(eager.cpu(), expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(compiled.cpu(), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize('name', ['llama', 'qwen', 'gpt2'])
@pytest.mark.parametrize('how', ['eager', 'compiled'])
def test_generate_with_a_static_cache(name, how):
    model = make(name).eval()
    options = {'max_new_tokens': 4, 'do_sample': False, 'cache_implementation': 'static', 'disable_compile': how == 'eager'}
    if how == 'compiled':
        options['compile_config'] = transformers.CompileConfig(mode='default')
    expected = model.generate(**inputs(name, 'cpu'), **{**options, 'disable_compile': True, 'compile_config': None})
    model.to('musa')
    torch._dynamo.reset()
    found = model.generate(**inputs(name, 'musa'), **options)
    assert found.device.type == 'musa'
    assert found.tolist() == expected.tolist()


_STEP = '''
import sys
import torch
from accelerate import Accelerator
from accelerate.utils import FullyShardedDataParallelPlugin
sys.path.insert(0, FOLDER)
from test_transformers import inputs, make

def step(model, loss_of, optimizer, backward):
    losses = []
    for _ in range(2):
        optimizer.zero_grad()
        loss = loss_of(model)
        backward(loss)
        optimizer.step()
        losses.append(loss.item())
    return losses

ids = inputs("llama", "cpu")["input_ids"]
plain = make("llama")
expected = step(plain, lambda model: model(input_ids=ids, labels=ids).loss, torch.optim.SGD(plain.parameters(), lr=0.1), lambda loss: loss.backward())
more = {"fsdp_plugin": FullyShardedDataParallelPlugin(fsdp_version=2)} if HOW == "fsdp2" else {}
accelerator = Accelerator(**more)
assert accelerator.num_processes == 2 and accelerator.device.type == "musa", (accelerator.num_processes, accelerator.device)
model = make("llama")
if COMPILED:
    model = torch.compile(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer = accelerator.prepare(model, optimizer)
mine = ids.to(accelerator.device)
found = step(model, lambda model: model(input_ids=mine, labels=mine).loss, optimizer, accelerator.backward)
torch.testing.assert_close(torch.tensor(found), torch.tensor(expected), rtol=1e-4, atol=1e-5)
accelerator.wait_for_everyone()
accelerator.end_training()
print("right", found)
'''

_TRAINER = '''
import sys
import torch
import transformers
sys.path.insert(0, FOLDER)
from test_transformers import inputs, make

ids = inputs("llama", "cpu")["input_ids"]
plain, expected = make("llama"), []
optimizer = torch.optim.SGD(plain.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = plain(input_ids=ids, labels=ids).loss
    loss.backward()
    optimizer.step()
    expected.append(loss.item())
more = {"fsdp": "full_shard", "fsdp_config": {"version": 2}} if HOW == "fsdp2" else {}
words = transformers.TrainingArguments(output_dir=OUTPUT, max_steps=2, per_device_train_batch_size=1, optim="sgd", learning_rate=0.1, lr_scheduler_type="constant",
                                       max_grad_norm=0.0, logging_steps=1, save_strategy="no", report_to="none", disable_tqdm=True, torch_compile=COMPILED, **more)
assert words.world_size == 2 and words.device.type == "musa", (words.world_size, words.device)
trainer = transformers.Trainer(model=make("llama"), args=words, train_dataset=[{"input_ids": row, "labels": row} for row in ids])
trainer.train()
found = [row["loss"] for row in trainer.state.log_history if "loss" in row]
torch.testing.assert_close(torch.tensor(found), torch.tensor(expected), rtol=1e-4, atol=1e-5)
print("right", found)
'''


@pytest.mark.parametrize('compiled', [False, True])
@pytest.mark.parametrize('how', ['ddp', 'fsdp2'])
@pytest.mark.parametrize('text', [_STEP, _TRAINER], ids=['accelerate', 'trainer'])
def test_training_step_on_two_devices(tmp_path, text, how, compiled):
    pytest.importorskip('accelerate')
    script = tmp_path / 'step.py'
    script.write_text(text.replace('OUTPUT', repr(str(tmp_path))).replace('FOLDER', repr(str(__file__).rpartition('/')[0])).replace('HOW', repr(how)).replace('COMPILED', str(compiled)))
    run = subprocess.run([sys.executable, '-m', 'torch.distributed.run', '--standalone', '--nproc-per-node', '2', str(script)], capture_output=True, text=True, timeout=900)
    assert run.returncode == 0 and run.stdout.count('right') == 2, f'{run.stdout}\n{run.stderr}'
