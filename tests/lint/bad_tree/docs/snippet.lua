--###begin same
print(1)
--###begin other
print(2)
--###end other
--###end same
